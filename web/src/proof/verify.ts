// The check of a shuffle that a page can do by itself: that the secret which the server shows after the
// game is the one that it promised before, and that this page's own share went in. `pli verify` checks
// the rest from the record.
import type { TableInfo } from '$generated/wire';

export interface Findings {
  /** Null: this browser can't tell, since it gives its tools only to pages from a safe address. */
  promise: boolean | null;
  /** What became of this page's share: cards may be dealt before it arrives. Null: it gave none. */
  own: 'in' | 'late' | 'wrong' | null;
}

async function keepsPromise(game: string, secret: string, commitment: string): Promise<boolean | null> {
  if (!globalThis.crypto?.subtle) return null;
  const text = `pli commitment 1\nid ${game}\nsecret ${secret}\n`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === commitment;
}

function whatBecame(given: string, went: string | undefined): Findings['own'] {
  if (went === undefined) return 'late';
  return went === given ? 'in' : 'wrong';
}

/** `given`: what this page gave for the game, from this seat. */
export async function examine(info: TableInfo, secret: string, seat: number | null, given: string | null): Promise<Findings> {
  return {
    promise: await keepsPromise(info.game_id, secret, info.commitment),
    own: seat === null || given === null ? null : whatBecame(given, info.contributions[seat]),
  };
}
