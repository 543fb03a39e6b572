// Hands over the table. They are there from the start and only moved: a touch makes nothing new, and the
// browser has nothing to lay out.
import type { OnCard } from './faces';

/** A seat has two hands; a third may be claimed for a moment. */
const HANDS = 3;

export interface Reached extends OnCard {
  card: number;
  claimed: boolean;
}

export class Reach {
  card = $state<number | null>(null);
  claimed = $state(false);
  tied = $state(false);
}

export class Reaches {
  private readonly seats = new Map<number, Reach[]>();

  of(seat: number): readonly Reach[] {
    const found = this.seats.get(seat) ?? Array.from({ length: HANDS }, () => new Reach());
    this.seats.set(seat, found);
    return found;
  }

  /** Where all hands of a seat are. One that stays where it was is the same hand. */
  put(seat: number, on: readonly Reached[]): void {
    const hands = this.of(seat);
    const left = hands.filter((hand) => !on.some((each) => each.card === hand.card));
    for (const each of on) {
      const hand = hands.find(({ card }) => card === each.card) ?? left.pop();
      if (!hand) continue;
      hand.card = each.card;
      hand.claimed = each.claimed;
      hand.tied = each.tied;
    }
    for (const hand of left) hand.card = null;
  }
}
