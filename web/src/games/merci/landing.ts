// Which card on a stack is a new one: a SKUZ looks like the card under it, and a claimed card is not laid
// again when the server has said yes.
export class Landing {
  /** One for each stack, another one when a card lands. */
  keys: readonly number[] = [0, 0, 0];
  /** What lies under the tops, as far as it was seen. */
  under: readonly (string | null)[] = [null, null, null];
  private tops: readonly string[] = [];
  private laid = 0;

  /** The table as it is now; `stack` (from 1) is where the last card was laid, if that is known. */
  see(tops: readonly string[], laid: number, stack: number | null): this {
    const changed = tops.map((top, i) => top !== this.tops[i]);
    const skuz = laid === this.laid + 1 && !changed.includes(true);
    if (skuz || changed.includes(true)) {
      const lands = changed.map((each, i) => each || (skuz && i + 1 === stack));
      this.under = this.under.map((each, i) => (laid === 0 ? null : lands[i] ? (this.tops[i] ?? null) : each));
      this.keys = this.keys.map((key, i) => (lands[i] ? key + 1 : key));
    }
    this.tops = tops;
    this.laid = laid;
    return this;
  }
}
