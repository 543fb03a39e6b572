// The frames of Plingo: the full trick, what cancels, the seat that takes the rest, then the reveal seat by seat
// and the boxes that it ticks.
import type { PlingoEvent, PlingoView } from '$generated/wire';
import type { Frame, Happening, Marks } from '../game';
import { ROUND_END, splitAtDeal } from '../round-summary';
import { HOLD, withCard } from '../tricks';
import { teamOf } from './sentences';

type V = PlingoView;
type E = PlingoEvent;

const CANCEL = 1100;
const REVEAL = 1500;
const TICK = 900;
const WHOLE = 1600;

export function frames(before: V | null, { events, view }: Happening<V, E>): Frame<V, E>[] {
  const list: Frame<V, E>[] = [];
  const add = (shown: V, told: readonly E[], hold: number, marks: Marks = {}) =>
    list.push({ view: shown, events: told, hold, marks });
  const played = events.find((each) => each.event === 'played');
  const cancelled = events.find((each) => each.event === 'cancelled');
  const took = events.find((each) => each.event === 'took');
  const nobody = events.find((each) => each.event === 'nobody_took');
  const complete = took ?? nobody;
  if (!before || !played || !complete) {
    const told = revealed(before ?? view, events, view, add);
    add(view, told ? told.next : events, holdOf(events), told?.marks);
    return list;
  }
  const full = withCard(before, played);
  add(full, [played], HOLD.full);
  const gone = cancelled?.cards ?? [];
  if (cancelled) add(full, [cancelled], CANCEL, { cancelled: gone });
  add(full, [complete], HOLD.taken, { cancelled: gone, taker: took?.seat });
  const gathered: V = {
    ...full,
    trick: [],
    last_trick: view.last_trick,
    last_winner: took ? took.seat : before.last_winner,
    master: took ? took.seat : before.master,
    taken: before.taken.map((n, seat) => (seat === took?.seat ? n + took.cards.length : n)),
    took: took && took.seat === before.seat ? [...before.took, ...took.cards] : before.took,
  };
  const rest = events.filter((each) => each !== played && each !== cancelled && each !== complete);
  if (rest.length === 0) {
    add(view, [], HOLD.gathered);
    return list;
  }
  add(gathered, [], HOLD.gathered);
  const told = revealed(gathered, rest, view, add);
  add(view, told ? told.next : rest, HOLD.round, told?.marks);
  return list;
}

type Add = (shown: V, told: readonly E[], hold: number, marks?: Marks) => void;

/** The reveal: each seat's cards in turn, with the boxes that they tick; after a missed bid the grid is that of the
 * final view. Then how the round ended. Tells what is left to tell with the last view, and its marks: after the last
 * round the cards stay where they are. Null: nothing is revealed. */
function revealed(from: V, all: readonly E[], end: V, add: Add): { next: readonly E[]; marks?: Marks } | null {
  const [events, next] = splitAtDeal(all);
  if (!events.some(({ event }) => event === 'revealed' || event === 'ticked' || event === 'joker_left')) return null;
  let shown = from;
  const open: { seat: number; cards: string[]; unique: number[] }[] = [];
  /** After a joker no further cards are revealed: the view shows those from before. */
  const marks = (more: Marks = {}): Marks => (open.length > 0 ? { reveal: [...open], ...more } : more);
  for (const event of events) {
    if (event.event === 'revealed') {
      open.push({ seat: event.seat, cards: event.cards, unique: event.unique });
      add(shown, [event], event.cards.length > 0 ? REVEAL : TICK, marks());
    } else if (event.event === 'ticked') {
      const team = teamOf(shown, event.seat);
      const grids = shown.grids.map((grid, each) =>
        each === team ? [...new Set([...grid, ...event.boxes])].sort((a, b) => a - b) : grid,
      );
      shown = { ...shown, grids };
      add(shown, [event], TICK, marks({ ticked: { seat: event.seat, boxes: event.boxes } }));
    } else if (event.event === 'missed') {
      const team = teamOf(shown, event.seat);
      shown = { ...shown, grids: shown.grids.map((grid, each) => (each === team ? (end.grids[team] ?? grid) : grid)) };
      add(shown, [event], HOLD.named, marks({ missed: event }));
    } else {
      add(shown, [event], HOLD.named, marks());
    }
  }
  if (end.phase === 'over') return { next, marks: marks() };
  if (next.length > 0 || end.phase === 'dealing') {
    // All of it rests for a moment, then makes room for the scores.
    if (open.length > 0) add(shown, [], WHOLE, marks());
    add(shown, [], ROUND_END, { roundEnd: true });
  }
  return { next };
}

function holdOf(events: readonly E[]): number {
  const last = events.at(-1)?.event;
  if (last === 'played') return HOLD.played;
  if (last === 'bid' || last === 'passed') return HOLD.full;
  if (last === 'trump' || last === 'no_trump' || last === 'auction_won' || last === 'all_passed') return HOLD.named;
  return last ? HOLD.dealt : 0;
}
