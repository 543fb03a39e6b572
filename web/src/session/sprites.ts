// Pictures of faces that only eyes can compare. They come on sheets of nine, fetched as images before the
// deal; which field shows which face is told when it lies open.
import { SHEET } from '$generated/wire';
import { settings } from '$device/settings.svelte';

const WAIT = 5500; // milliseconds: for longer the server does not hold up a deal
const { across: ACROSS, size: FIELD, strip: STRIP } = SHEET;
const EDGE = 0.02; // of a field that is cut off, so that no neighbour shows

const wide = ACROSS * FIELD;
const high = STRIP + ACROSS * FIELD;
const seen = FIELD * (1 - 2 * EDGE);

let kept: HTMLImageElement[] = [];

export const address = (table: string, number: number, sheet: string): string => `/pictures/${table}/${number}/${sheet}`;

/** Fetches all sheets of a game; done when they are there, or after a while. */
export function fetchAll(table: string, number: number, sheets: readonly string[]): Promise<void> {
  kept = sheets.map((sheet) => {
    const image = new Image();
    image.src = address(table, number, sheet);
    return image;
  });
  const all = kept.map((image) => image.decode().catch(() => undefined));
  return Promise.race([Promise.all(all).then(() => undefined), new Promise<void>((resolve) => setTimeout(resolve, WAIT / settings.haste))]);
}

/** How a sheet is laid under a square so that one field of it is seen. */
export interface Window {
  image: string;
  position: string;
}

export const SIZE = `${(100 * wide) / seen}% ${(100 * high) / seen}%`;

export function windowOf(table: string, number: number, place: string | undefined): Window | null {
  if (!place) return null;
  const [sheet = '', field = '0'] = place.split('.');
  const row = Math.floor(Number(field) / ACROSS);
  const column = Number(field) % ACROSS;
  const x = (100 * (FIELD * (column + EDGE))) / (wide - seen);
  const y = (100 * (STRIP + FIELD * (row + EDGE))) / (high - seen);
  return { image: `url(${address(table, number, sheet)})`, position: `${x}% ${y}%` };
}
