// A small, steady hash of a text, to draw the same portrait for the same name everywhere.
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

/** Draws choices out of a hash one after the other. */
export function chooser(text: string): <T>(from: readonly T[]) => T {
  let n = 0;
  return (from) => from[hash(`${text}/${n++}`) % from.length] as (typeof from)[number];
}
