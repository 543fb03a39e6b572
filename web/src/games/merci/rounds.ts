// Hearts after each round, for the chart of the result.
import { byRound } from '../round-scores';
import type { Told } from './frames';

export const rounds = (events: readonly Told[], seats: number) =>
  byRound(events, seats, (event) => (event.event === 'hearts' ? { seat: event.seat, points: event.change } : null));
