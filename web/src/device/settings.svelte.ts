// The player's settings, stored on this device.
import { untrack } from 'svelte';
import { languages, type Language } from './languages';
import { load, save } from './storage';

export type Pace = 'calm' | 'brisk' | 'instant';
export type ColorScheme = 'system' | 'light' | 'dark';

export interface Settings {
  name: string;
  /** The chosen portrait; null: one made from the name. */
  face: number | null;
  /** Others see the name while this player watches. */
  watchNamed: boolean;
  /** Null: as the browser asks for. */
  language: Language | null;
  theme: ColorScheme;
  sound: boolean;
  /** Sounds were proposed once. */
  soundProposed: boolean;
  /** The own turn is shown as a notification while the page is hidden. */
  notify: boolean;
  /** How long frames are shown. */
  pace: Pace;
  /** Divides those times once more. Not offered on any page: browser tests set it, to be quick. */
  haste: number;
  /** A card is picked by the first tap and played by the second. */
  guard: boolean;
  /** The last card of a hand is played automatically. */
  last: boolean;
  /** A card can be chosen before the own turn, and is played then. */
  premove: boolean;
  /** How many times as fast as at the table a replay runs. */
  replaySpeed: number;
  /** The theme of a game's art and words, by game. */
  themes: Record<string, string>;
  /** Against which bots "play now" plays, by game: their level, and the number of seats. */
  opponents: Record<string, { level: string; seats: number }>;
  /** The games whose lesson was offered, or opened, on this device. */
  learned: string[];
}

const KEY = 'pli.preferences';

function coarse(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;
}

const defaults = (): Settings => ({
  name: '',
  face: null,
  watchNamed: false,
  language: null,
  theme: 'system',
  sound: false,
  soundProposed: false,
  notify: false,
  pace: 'calm',
  haste: 1,
  guard: coarse(),
  last: false,
  premove: true,
  replaySpeed: 1,
  themes: {},
  opponents: {},
  learned: [],
});

function read(): Settings {
  const stored = load(KEY);
  const all: Settings = { ...defaults(), ...(typeof stored === 'object' ? stored : null) };
  if (all.language !== null && !languages.includes(all.language)) all.language = null;
  if (typeof all.themes !== 'object' || all.themes === null) all.themes = {};
  if (typeof all.opponents !== 'object' || all.opponents === null) all.opponents = {};
  if (!Array.isArray(all.learned)) all.learned = [];
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
