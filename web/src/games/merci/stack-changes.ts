// Tells which stack got a new card, to animate it: a SKUZ looks like the card under it, and a card shown
// optimistically must not land again when it is acknowledged.
interface TakenBack {
  stack: number;
  /** Other cards lie on it, and stay. */
  covered: boolean;
}

export class StackChanges {
  /** A key for each stack, which changes when a card lands. */
  keys: readonly number[] = [0, 0, 0];
  /** The cards under the tops, as far as they are known. */
  under: readonly (string | null)[] = [null, null, null];
  private tops: readonly string[] = [];
  private laid = 0;

  /** The current tops; `stack` (from 1) is where the last card was laid, if known, and `back` where one was taken
   * back from. */
  see(tops: readonly string[], laid: number, stack: number | null, back: TakenBack | null = null): this {
    const changed = tops.map((top, i) => top !== this.tops[i]);
    const skuz = laid === this.laid + 1 && !changed.includes(true);
    const taken = laid === this.laid - 1 ? back : null;
    if (skuz || taken || changed.includes(true)) {
      // What lies under the card that is now on top was never seen.
      const left = taken && !taken.covered ? taken.stack : null;
      const lands = changed.map((each, i) => each || (skuz && i + 1 === stack) || i + 1 === left);
      this.under = this.under.map((each, i) => (laid === 0 || taken?.stack === i + 1 ? null : lands[i] ? (this.tops[i] ?? null) : each));
      this.keys = this.keys.map((key, i) => (lands[i] ? key + 1 : key));
    }
    this.tops = tops;
    this.laid = laid;
    return this;
  }
}
