// A small stable hash of a text (FNV-1a with a final mix), to derive the same portrait from the same name
// everywhere.
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const char of text.normalize('NFC').toLowerCase()) {
    h = Math.imul(h ^ (char.codePointAt(0) ?? 0), 0x01000193);
  }
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  return h >>> 0;
}

/** A deterministic chooser: each call picks another item by the hash of text and call number. */
export function chooser(text: string): <T>(from: readonly T[]) => T {
  let n = 0;
  return (from) => from[hash(`${text}/${n++}`) % from.length] as (typeof from)[number];
}
