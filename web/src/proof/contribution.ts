// This page's share of the randomness of a game: something that only this device could have known
// beforehand. It is remembered, so that after the game the page can see whether it really went in.
const KEY = 'pli.shares';
const MOST = 20;

function randomHex(bytes = 32): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (each) => each.toString(16).padStart(2, '0')).join('');
}

function all(): [game: string, hex: string][] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? (found as [string, string][]) : [];
  } catch {
    return []; // storage may be forbidden or hold something else
  }
}

/** What this page gave for a game; null: nothing that it could remember. */
export const givenFor = (game: string): string | null => all().find(([each]) => each === game)?.[1] ?? null;

/** The same whenever it is asked for, since only the first that arrives counts. */
export function ownShare(game: string): string {
  const given = givenFor(game);
  if (given !== null) return given;
  const hex = randomHex();
  try {
    localStorage.setItem(KEY, JSON.stringify([[game, hex], ...all()].slice(0, MOST)));
  } catch {
    // then it can't be compared afterwards, and all else works
  }
  return hex;
}
