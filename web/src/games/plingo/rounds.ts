// Boxes after each round, for the chart of the result: each seat has its team's.
import type { PlingoEvent, PlingoView } from '$generated/wire';
import { scoresByRound } from '../round-scores';
import { teamOf } from './sentences';

export function rounds(events: readonly PlingoEvent[], seats: number, view: PlingoView) {
  /** Boxes ticked in this round so far, by team: a missed bid takes them back. */
  let fresh: number[] = [];
  const gain = (event: PlingoEvent) => {
    if (event.event === 'dealt') fresh = [];
    if (event.event !== 'ticked' && event.event !== 'missed') return null;
    const team = teamOf(view, event.seat);
    const before = fresh[team] ?? 0;
    const points = event.event === 'ticked' ? event.boxes.length : -before;
    fresh[team] = before + points;
    return { seat: team, points };
  };
  return scoresByRound(events, view.grids.length, gain).map(({ label, scores }) => ({
    label,
    scores: Array.from({ length: seats }, (_, seat) => scores[teamOf(view, seat)] ?? 0),
  }));
}
