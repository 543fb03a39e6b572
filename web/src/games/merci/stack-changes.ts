// Which card on a stack is a new one: a SKUZ looks like the card under it, and a claimed card is not laid
// again when the server has said yes.
interface TakenBack {
  stack: number;
  /** Others lie on it, and stay. */
  covered: boolean;
}

export class StackChanges {
  /** One for each stack, another one when a card lands. */
  keys: readonly number[] = [0, 0, 0];
  /** What lies under the tops, as far as it was seen. */
  under: readonly (string | null)[] = [null, null, null];
  private tops: readonly string[] = [];
  private laid = 0;

  /** The table as it is now; `stack` (from 1) is where the last card was laid, if that is known, and `back`
   * from where one was taken back. */
  see(tops: readonly string[], laid: number, stack: number | null, back: TakenBack | null = null): this {
    const changed = tops.map((top, i) => top !== this.tops[i]);
    const skuz = laid === this.laid + 1 && !changed.includes(true);
    const taken = laid === this.laid - 1 ? back : null;
    if (skuz || taken || changed.includes(true)) {
      // Under the card that was taken back lay one like it, or another: what is under that nobody has seen.
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
