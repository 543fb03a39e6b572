// What trick-taking games share when they turn an update into frames.
import type { AnyEvent, AnyView } from './game';

/** Milliseconds for which frames are shown. */
export const HOLD = {
  /** A card that was just played. */
  played: 480,
  /** The last card of a trick, before anything else happens. */
  full: 750,
  /** The whole trick, with its winner marked. */
  taken: 1000,
  /** The trick on its way to the winner. */
  gathered: 420,
  dealt: 900,
  named: 1200,
  round: 1800,
} as const;

export interface TrickCard {
  seat: number;
  card: string;
}

export interface TrickView extends AnyView {
  hand: string[];
  cards: number[];
  trick: TrickCard[];
  last_winner?: number | null;
}

export interface Played extends AnyEvent {
  event: 'played';
  seat: number;
  card: string;
}

interface Taken extends AnyEvent {
  event: 'took';
  seat: number;
  cards: readonly TrickCard[];
}

export const isPlayed = (event: AnyEvent): event is Played => event.event === 'played';

/** A trick is complete, and a seat takes it. */
export const isTaken = (event: AnyEvent): event is Taken => event.event === 'took' && 'cards' in event;

/** The view with the viewer's own card on the table; null: the action plays no card. */
export function withOwnCard<V extends TrickView>(view: V, action: string): V | null {
  if (view.seat === null || !action.startsWith('play ')) return null;
  return withCard(view, { event: 'played', seat: view.seat, card: action.slice(5) });
}

/** The view with one more card on the table and no seat to act, as of a full trick. */
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
