// What a page can verify of a shuffle by itself: that the secret revealed after the game matches the commitment
// published before it, and that this page's contribution was used. `pli verify` checks the rest from the record.
import type { TableInfo } from '$generated/wire';
import { hex } from './contribution';

export interface ShuffleCheck {
  /** Whether secret and commitment match; null: browsers offer `crypto.subtle` only in secure contexts. */
  promise: boolean | null;
  /** What became of this page's contribution; `late`: the cards were dealt before it arrived; null: it sent none. */
  own: 'in' | 'late' | 'wrong' | null;
}

async function matchesCommitment(game: string, secret: string, commitment: string): Promise<boolean | null> {
  if (!globalThis.crypto?.subtle) return null;
  const text = `pli commitment 1\nid ${game}\nsecret ${secret}\n`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hex(new Uint8Array(digest)) === commitment;
}

function compare(sent: string, used: string | undefined): ShuffleCheck['own'] {
  if (used === undefined) return 'late';
  return used === sent ? 'in' : 'wrong';
}

/** `sent`: the contribution of this page, from this seat. */
export async function verifyShuffle(info: TableInfo, secret: string, seat: number | null, sent: string | null): Promise<ShuffleCheck> {
  return {
    promise: await matchesCommitment(info.game_id, secret, info.commitment),
    own: seat === null || sent === null ? null : compare(sent, info.contributions[seat]),
  };
}
