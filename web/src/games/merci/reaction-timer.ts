// How quick the own words were: a SKUZ from when the equal card lay there, thanks from when they were owed,
// MALPOLI from what was impolite.
import type { MerciEvent } from '$generated/wire';

export class ReactionTimer {
  /** When what can be answered was first to be seen: a card on each stack, a deed, an own card or debt. */
  private readonly since = new Map<string, number>();
  /** When each word was last said here. */
  private readonly said = new Map<string, number>();

  /** The viewer does something: `action` begins with the word. */
  did(action: string, now: number): void {
    this.said.set(action.split(' ')[0] ?? '', now);
  }

  /** What is to be seen now; how long the viewer took for what of it answers something. */
  saw(events: readonly MerciEvent[], own: number, now: number): number[] {
    return events.flatMap((each) => this.one(each, own, now) ?? []);
  }

  private one(event: MerciEvent, own: number, now: number): number | null {
    switch (event.event) {
      case 'dealt':
        this.since.clear();
        for (const stack of [1, 2, 3]) this.since.set(`stack ${stack}`, now);
        return null;
      case 'laid': {
        const took = event.seat === own && event.word === 'skuz' ? this.took('skuz', `stack ${event.stack}`, 'hand') : null;
        this.see(`stack ${event.stack}`, event.seat !== own, now);
        this.see(`deed ${event.seat}`, event.seat !== own, now);
        return took;
      }
      case 'thanked': {
        const took = event.seat === own ? this.took(event.word, 'owed') : null;
        this.see(`deed ${event.seat}`, event.seat !== own, now);
        return took;
      }
      case 'named':
        this.see('owed', event.seat === own, now);
        return null;
      case 'got':
        if (event.seat === own) this.since.set('hand', now);
        return null;
      case 'denounced':
        return event.seat === own && event.offender !== null ? this.took('denounce', `deed ${event.offender}`) : null;
      default:
        return null;
    }
  }

  /** What one did oneself is nothing to answer. */
  private see(what: string, counts: boolean, now: number): void {
    if (counts) this.since.set(what, now);
    else this.since.delete(what);
  }

  /** From when it could be said to when it was; null: that was not seen here, or nobody spoke here. */
  private took(word: string, what: string, also = ''): number | null {
    const [from, said] = [this.since.get(what), this.said.get(word)];
    if (from === undefined || said === undefined || word === 'take') return null;
    const ms = said - Math.max(from, this.since.get(also) ?? 0);
    return ms > 0 ? Math.round(ms) : null;
  }
}
