// A pool of elements for the hands over the board. They are created at the start and only moved, directly by their
// style: a touch creates no element, causes no layout and does not go through the framework.
import type { OnCard } from './faces';

/** Hands of a seat: two, and a third that may be claimed for a moment. */
const HANDS = 3;
/** Out of sight, when it is on no card. */
const AWAY = { x: -999, y: -999 };

export interface HandOnCard extends OnCard {
  card: number;
  claimed: boolean;
}

/** The position of a card on the board, if it lies there. */
export type Lies = (card: number) => { x: number; y: number } | undefined;

class PooledHand {
  private element: HTMLElement | null = null;
  private on: HandOnCard | null = null;

  constructor(private readonly lies: Lies) {}

  get card(): number | null {
    return this.on?.card ?? null;
  }

  put(next: HandOnCard | null): void {
    const before = this.on;
    this.on = next;
    if (before?.card !== next?.card) this.move();
    if (before?.claimed !== next?.claimed || before?.tied !== next?.tied) this.colour();
  }

  move(): void {
    if (!this.element) return;
    const at = this.on ? this.lies(this.on.card) : undefined;
    const { x, y } = at ?? AWAY;
    this.element.style.transform = `translate(${x}px, ${y}px)`;
    this.element.dataset['on'] = at ? String(this.on?.card) : '';
  }

  private colour(): void {
    const hand = this.element?.firstElementChild?.classList;
    hand?.toggle('claimed', this.on?.claimed ?? false);
    hand?.toggle('tied', this.on?.tied ?? false);
  }

  readonly drawnBy = (element: HTMLElement): (() => void) => {
    this.element = element;
    this.move();
    this.colour();
    return () => (this.element = null);
  };
}

export class HandPool {
  private readonly seats = new Map<number, PooledHand[]>();
  private lies: Lies = () => undefined;

  of(seat: number): readonly PooledHand[] {
    const found = this.seats.get(seat) ?? Array.from({ length: HANDS }, () => new PooledHand((card) => this.lies(card)));
    this.seats.set(seat, found);
    return found;
  }

  /** The layout of the board has changed. */
  follow(lies: Lies): void {
    this.lies = lies;
    for (const hands of this.seats.values()) hands.forEach((hand) => hand.move());
  }

  /** Sets all hands of a seat. A hand that stays on its card keeps its element. */
  put(seat: number, on: readonly HandOnCard[]): void {
    const hands = this.of(seat);
    const left = hands.filter((hand) => !on.some((each) => each.card === hand.card));
    for (const each of on) (hands.find(({ card }) => card === each.card) ?? left.pop())?.put(each);
    for (const hand of left) hand.put(null);
  }
}
