// What the trick-taking games share when an update is turned into pictures.
import type { AnyEvent, AnyView } from './game';

/** Milliseconds that things stay to be seen. */
export const HOLD = {
  /** A card that was just played. */
  played: 480,
  /** The last card of a trick, before anything happens with it. */
  full: 750,
  /** The whole trick, with its winner marked. */
  taken: 1000,
  /** The trick on its way to its winner. */
  gathered: 420,
  dealt: 900,
  named: 1200,
  round: 1800,
} as const;

interface Laid {
  seat: number;
  card: string;
}

interface TrickView extends AnyView {
  hand: string[];
  cards: number[];
  trick: Laid[];
}

interface Played extends AnyEvent {
  event: 'played';
  seat: number;
  card: string;
}

/** The table once the viewer's own card lies on it; null if the action is something else. */
export function withOwnCard<V extends TrickView>(view: V, action: string): V | null {
  if (view.seat === null || !action.startsWith('play ')) return null;
  return withCard(view, { event: 'played', seat: view.seat, card: action.slice(5) });
}

/** The table with one more card on it, and nobody to act: what a full trick looks like. */
export function withCard<V extends TrickView>(before: V, { seat, card }: Played): V {
  return {
    ...before,
    hand: before.hand.filter((each) => each !== card),
    cards: before.cards.map((n, each) => (each === seat ? n - 1 : n)),
    trick: [...before.trick, { seat, card }],
    turn: null,
    awaited: [],
  };
}
