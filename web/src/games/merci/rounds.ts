// Hearts after each round, for the chart of the result.
import { scoresByRound } from '../round-scores';
import type { ShownEvent } from './frames';

export const rounds = (events: readonly ShownEvent[], seats: number) =>
  scoresByRound(events, seats, (event) => (event.event === 'hearts' ? { seat: event.seat, points: event.change } : null));
