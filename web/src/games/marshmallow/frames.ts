// The frames of Marshmallow Test: the full trick, its winner, the stack, and marshmallows paid one by one.
import type { MarshmallowEvent, MarshmallowView } from '$generated/wire';
import type { Frame, Happening, Marks } from '../game';
import { HOLD, withCard } from '../tricks';

type V = MarshmallowView;
type E = MarshmallowEvent;

const PAY = 230;

export function frames(before: V | null, { events, view }: Happening<V, E>): Frame<V, E>[] {
  const list: Frame<V, E>[] = [];
  const add = (shown: V, told: readonly E[], hold: number, marks: Marks = {}) =>
    list.push({ view: shown, events: told, hold, marks });
  const played = events.find((each) => each.event === 'played');
  const took = events.find((each) => each.event === 'took');
  const out = events.find((each) => each.event === 'went_out');
  const rest = events.filter((each) => each !== played && each !== took && each !== out);
  if (!before || !played || !took) {
    add(view, events, holdOf(events));
    return list;
  }
  const full = withCard(before, played);
  add(full, [played], HOLD.full);
  add(full, [took], HOLD.taken, { taker: took.seat });
  const tricks = before.tricks.map((n, seat) => (seat === took.seat ? n + 1 : n));
  const gathered: V = { ...full, trick: [], tricks, last_trick: took.cards, last_winner: took.seat };
  if (out) {
    add(gathered, [out], HOLD.gathered, { paying: { seat: out.seat, left: out.points } });
    for (let paid = 1; paid <= out.points; paid++) {
      const scores = before.scores.map((n, seat) => (seat === out.seat ? n + paid : n));
      add({ ...gathered, scores, out: view.out }, [], PAY, { paying: { seat: out.seat, left: out.points - paid } });
    }
  }
  const roundEnds = rest.length > 0;
  if (roundEnds) add({ ...gathered, scores: view.scores, out: view.out }, [], HOLD.gathered);
  add(view, rest, roundEnds ? HOLD.round : HOLD.gathered);
  return list;
}

function holdOf(events: readonly E[]): number {
  const last = events.at(-1)?.event;
  if (last === 'played') return HOLD.played;
  if (last === 'trump') return HOLD.named;
  return last ? HOLD.dealt : 0;
}
