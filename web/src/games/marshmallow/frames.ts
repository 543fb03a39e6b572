// The frames of Marshmallow Test: the full trick, its winner, the stack, and marshmallows paid one by one.
import type { MarshmallowEvent, MarshmallowView } from '$generated/wire';
import type { Frame, Happening, Marks } from '../game';
import { ROUND_END, splitAtDeal } from '../round-summary';
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
  /** Until the next deal, who went out stays out. */
  const outs = out ? [...before.out, out.seat] : before.out;
  const gathered: V = { ...full, trick: [], tricks, out: outs, last_trick: took.cards, last_winner: took.seat };
  if (out) {
    const { seat: payee, points } = out;
    add(gathered, [out], HOLD.gathered, { paying: { seat: payee, left: points, points } });
    for (let paid = 1; paid <= points; paid++) {
      const scores = before.scores.map((n, seat) => (seat === payee ? n + paid : n));
      add({ ...gathered, scores }, [], PAY, { paying: { seat: payee, left: points - paid, points } });
    }
  }
  const [ending, next] = splitAtDeal(rest);
  if (view.phase === 'over') add({ ...gathered, scores: view.scores }, [], HOLD.gathered);
  else if (ending.length > 0) {
    add({ ...gathered, scores: view.scores }, ending, ROUND_END, { roundEnd: true });
    add(view, next, HOLD.dealt);
    return list;
  }
  add(view, rest, view.phase === 'over' ? HOLD.round : HOLD.gathered);
  return list;
}

function holdOf(events: readonly E[]): number {
  const last = events.at(-1)?.event;
  if (last === 'played') return HOLD.played;
  if (last === 'trump') return HOLD.named;
  return last ? HOLD.dealt : 0;
}
