// What a player prefers, remembered on this device.
import { untrack } from 'svelte';
import { languages, type Language } from './languages';

export type Pace = 'calm' | 'brisk' | 'instant';
export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  name: string;
  language: Language | null;
  theme: Theme;
  sound: boolean;
  /** How long what happens stays to be seen. */
  pace: Pace;
  /** So many times faster than that. No page lets it be chosen: it is for tests, which read at a glance. */
  haste: number;
  /** A card has to be picked before it is played. */
  guard: boolean;
  /** A card that is the only one left to play goes by itself. */
  last: boolean;
  /** The theme of a game's art and words, by game. */
  themes: Record<string, string>;
}

const KEY = 'pli.preferences';

function coarse(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;
}

const defaults = (): Preferences => ({
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

function stored(): Partial<Preferences> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {}; // storage may be forbidden or hold something else
  }
}

function read(): Preferences {
  const all = { ...defaults(), ...stored() };
  if (all.language !== null && !languages.includes(all.language)) all.language = null;
  if (typeof all.themes !== 'object' || all.themes === null) all.themes = {};
  return all;
}

export const settings: Preferences = $state(read());

/** Keeps what was set; called once by the page. To write takes time, and at the start nothing is new. */
export function keep(): void {
  let kept = untrack(() => JSON.stringify(settings));
  $effect(() => {
    const text = JSON.stringify(settings);
    if (text === kept) return;
    kept = text;
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // nothing is remembered then, and all else works
    }
  });
  $effect(() => {
    if (settings.theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = settings.theme;
  });
}
