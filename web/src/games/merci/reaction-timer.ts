// Measures the player's reaction times: SKUZ since the equal card was laid, thanks since they were owed, MALPOLI
// since the fault.
import type { MerciEvent } from '$generated/wire';

export class ReactionTimer {
  /** When each stimulus was first shown: a card on a stack, an act of a seat, a card drawn, thanks owed. */
  private readonly since = new Map<string, number>();
  /** When the player last said each word. */
  private readonly said = new Map<string, number>();

  /** The player acts: `action` begins with the word. */
  did(action: string, now: number): void {
    this.said.set(action.split(' ')[0] ?? '', now);
  }

  /** Events were shown; returns the reaction times of those that are answers of the player. */
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

  /** The own acts are no stimulus. */
  private see(what: string, counts: boolean, now: number): void {
    if (counts) this.since.set(what, now);
    else this.since.delete(what);
  }

  /** From stimulus to word, in milliseconds; null: one of the two did not happen here. */
  private took(word: string, what: string, also = ''): number | null {
    const [from, said] = [this.since.get(what), this.said.get(word)];
    if (from === undefined || said === undefined || word === 'take') return null;
    const ms = said - Math.max(from, this.since.get(also) ?? 0);
    return ms > 0 ? Math.round(ms) : null;
  }
}
