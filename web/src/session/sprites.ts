// Sprite sheets of faces that only eyes can compare: images of nine sprites each, preloaded before the deal. Which
// sprite shows which face is told when the face lies open.
import { SHEET } from '$generated/wire';
import { settings } from '$device/settings.svelte';

const TIMEOUT = 5500; // milliseconds: the server does not hold up a deal for longer
const { across: ACROSS, size: FIELD, strip: STRIP } = SHEET;
const EDGE = 0.02; // of a sprite, cropped so that no neighbour shows

const wide = ACROSS * FIELD;
const high = STRIP + ACROSS * FIELD;
const seen = FIELD * (1 - 2 * EDGE);

/** References that keep the decoded images in memory. */
let kept: HTMLImageElement[] = [];

export const address = (table: string, number: number, sheet: string): string => `/pictures/${table}/${number}/${sheet}`;

/** Loads and decodes all sheets of a game; resolves when they are there, or after the timeout. */
export function preloadSheets(table: string, number: number, sheets: readonly string[]): Promise<void> {
  kept = sheets.map((sheet) => {
    const image = new Image();
    image.src = address(table, number, sheet);
    return image;
  });
  const all = kept.map((image) => image.decode().catch(() => undefined));
  return Promise.race([Promise.all(all).then(() => undefined), new Promise<void>((resolve) => setTimeout(resolve, TIMEOUT / settings.haste))]);
}

/** The CSS background of a square element that shows one sprite. */
export interface SpriteBackground {
  image: string;
  position: string;
}

export const BACKGROUND_SIZE = `${(100 * wide) / seen}% ${(100 * high) / seen}%`;

/** `sprite` is written "sheet.index". */
export function spriteBackground(table: string, number: number, sprite: string | undefined): SpriteBackground | null {
  if (!sprite) return null;
  const [sheet = '', field = '0'] = sprite.split('.');
  const row = Math.floor(Number(field) / ACROSS);
  const column = Number(field) % ACROSS;
  const x = (100 * (FIELD * (column + EDGE))) / (wide - seen);
  const y = (100 * (STRIP + FIELD * (row + EDGE))) / (high - seen);
  return { image: `url(${address(table, number, sheet)})`, position: `${x}% ${y}%` };
}
