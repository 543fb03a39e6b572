// Sprite sheets of faces that only eyes can compare: images of nine sprites each, preloaded before the start. Which
// sprite shows which face is told when the face lies open.
import { SHEET } from '$generated/wire';
import type { FacePicture } from '$games/game';

const TRIES = 6;
/** Sheets that are fetched at a time. A browser has six connections to a server: code that is needed meanwhile must not
 * wait until pictures are drawn. */
const AT_ONCE = 4;
const { across: ACROSS, size: FIELD, strip: STRIP } = SHEET;
const EDGE = 0.02; // of a sprite, cropped so that no neighbour shows

const wide = ACROSS * FIELD;
const high = STRIP + ACROSS * FIELD;
const seen = FIELD * (1 - 2 * EDGE);

/** References that keep the decoded images in memory. */
let kept: HTMLImageElement[] = [];

export const address = (table: string, number: number, sheet: string): string => `/pictures/${table}/${number}/${sheet}`;

async function load(image: HTMLImageElement, src: string): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    try {
      image.src = src;
      return await image.decode();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 400 << tried));
    }
  }
}

/** Loads and decodes all sheets of a game; resolves when they are there, or were tried often. `one` is called for
 * each. */
export async function preloadSheets(table: string, number: number, sheets: readonly string[], one: () => void): Promise<void> {
  kept = sheets.map(() => new Image());
  const waiting = [...kept.entries()];
  const fetchSome = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await load(next[1], address(table, number, sheets[next[0]] ?? ''));
      one();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchSome));
}

const BACKGROUND_SIZE = `${(100 * wide) / seen}% ${(100 * high) / seen}%`;

/** `sprite` is written "sheet.index". */
export function spriteBackground(table: string, number: number, sprite: string | undefined): FacePicture | null {
  if (!sprite) return null;
  const [sheet = '', field = '0'] = sprite.split('.');
  const row = Math.floor(Number(field) / ACROSS);
  const column = Number(field) % ACROSS;
  const x = (100 * (FIELD * (column + EDGE))) / (wide - seen);
  const y = (100 * (STRIP + FIELD * (row + EDGE))) / (high - seen);
  return { image: `url(${address(table, number, sheet)})`, position: `${x}% ${y}%`, size: BACKGROUND_SIZE };
}
