// The frames of any game: a full trick before it is gathered, the end of a round, otherwise one frame an update.
import type { AnyEvent, AnyView, Frame, Happening, Marks } from '../game';
import { isDeal } from '../round-scores';
import { ROUND_END, splitAtDeal } from '../round-summary';
import { HOLD, isPlayed, isTaken, withCard, type TrickView } from '../tricks';

const isRoundOver = ({ event }: AnyEvent): boolean => event === 'round_over';

/** Whether the view is of a game of tricks. */
export const hasTricks = (view: AnyView): view is TrickView => 'trick' in view && 'cards' in view && 'hand' in view;

export function frames(before: AnyView | null, { events, view }: Happening<AnyView, AnyEvent>): Frame[] {
  const list: Frame[] = [];
  const add = (shown: AnyView, told: readonly AnyEvent[], hold: number, marks: Marks = {}) => list.push({ view: shown, events: told, hold, marks });
  let shown = before;
  let rest = events;
  const played = events.find(isPlayed);
  const took = events.find(isTaken);
  if (before && hasTricks(before) && played && took) {
    const full = withCard(before, played);
    add(full, [played], HOLD.full);
    add(full, [took], HOLD.taken, { taker: took.seat });
    shown = { ...full, trick: [], last_trick: took.cards, last_winner: took.seat } as AnyView;
    rest = events.filter((each) => each !== played && each !== took);
  }
  const [ending, next] = splitAtDeal(rest);
  if (shown && view.phase !== 'over' && ending.some(isRoundOver)) {
    add(ended(shown, view), ending, ROUND_END, { roundEnd: true });
    add(view, next, next.length > 0 ? HOLD.dealt : 0);
    return list;
  }
  add(view, rest, rest === events ? holdOf(events) : view.phase === 'over' ? HOLD.round : HOLD.gathered);
  return list;
}

/** The table as it was, with the scores of the round's end. */
function ended(shown: AnyView, view: AnyView): AnyView {
  const { scores } = view as { scores?: readonly number[] };
  return { ...shown, ...(scores && { scores }), turn: null, awaited: [] } as AnyView;
}

function holdOf(events: readonly AnyEvent[]): number {
  const last = events.at(-1);
  if (!last) return 0;
  return isDeal(last) ? HOLD.dealt : HOLD.played;
}
