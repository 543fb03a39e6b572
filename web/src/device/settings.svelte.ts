// The player's settings, stored on this device.
import { untrack } from 'svelte';
import { languages, type Language } from './languages';
import { load, save } from './storage';

export type Pace = 'calm' | 'brisk' | 'instant';
export type ColorScheme = 'system' | 'light' | 'dark';

export interface Settings {
  name: string;
  /** Null: as the browser asks for. */
  language: Language | null;
  theme: ColorScheme;
  sound: boolean;
  /** How long frames are shown. */
  pace: Pace;
  /** Divides those times once more. Not offered on any page: browser tests set it, to be quick. */
  haste: number;
  /** A card is picked by the first tap and played by the second. */
  guard: boolean;
  /** The last card of a hand is played automatically. */
  last: boolean;
  /** The theme of a game's art and words, by game. */
  themes: Record<string, string>;
}

const KEY = 'pli.preferences';

function coarse(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;
}

const defaults = (): Settings => ({
  name: '',
  language: null,
  theme: 'system',
  sound: false,
  pace: 'calm',
  haste: 1,
  guard: coarse(),
  last: false,
  themes: {},
});

function read(): Settings {
  const stored = load(KEY);
  const all: Settings = { ...defaults(), ...(typeof stored === 'object' ? stored : null) };
  if (all.language !== null && !languages.includes(all.language)) all.language = null;
  if (typeof all.themes !== 'object' || all.themes === null) all.themes = {};
  return all;
}

export const settings: Settings = $state(read());

/** Stores changes and applies the colour scheme; called once by the page. Nothing is written before the first
 * change, since writing takes time and the page is still loading. */
export function persistSettings(): void {
  let stored = untrack(() => JSON.stringify(settings));
  $effect(() => {
    const text = JSON.stringify(settings);
    if (text === stored) return;
    stored = text;
    save(KEY, settings);
  });
  $effect(() => {
    if (settings.theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = settings.theme;
  });
}
