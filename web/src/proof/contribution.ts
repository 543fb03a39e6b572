// This page's contribution to the randomness of a game: bytes that the server can't know before it commits to its
// own secret. They are stored, so that the page can check after the game that they went into the shuffle.
import { loadList, save } from '$device/storage';

const KEY = 'pli.shares';
const MOST = 20;
const BYTES = 32;

type Entry = [game: string, hex: string];

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('');

/** What this page sent for a game; null: nothing is stored. */
export const storedContribution = (game: string): string | null => loadList<Entry>(KEY).find(([each]) => each === game)?.[1] ?? null;

/** The same on every call: the server counts only the first that arrives. */
export function contributionFor(game: string): string {
  const stored = storedContribution(game);
  if (stored !== null) return stored;
  const made = hex(crypto.getRandomValues(new Uint8Array(BYTES)));
  save(KEY, [[game, made], ...loadList<Entry>(KEY)].slice(0, MOST));
  return made;
}
