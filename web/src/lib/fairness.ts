// The check of a shuffle that a page can do by itself: that the secret which the server shows after the
// game is the one that it promised before. `pli verify` checks the rest from the record.

/** Null: this browser can't tell, since it gives its tools only to pages from a safe address. */
export async function keepsPromise(game: string, secret: string, commitment: string): Promise<boolean | null> {
  if (!globalThis.crypto?.subtle) return null;
  const text = `pli commitment 1\nid ${game}\nsecret ${secret}\n`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === commitment;
}
