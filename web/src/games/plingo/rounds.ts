// Boxes after each round, for the chart of the result.
import type { PlingoEvent } from '$generated/wire';
import { byRound } from '../rounds';

export const rounds = (events: readonly PlingoEvent[], seats: number) =>
  byRound(events, seats, (event) => (event.event === 'ticked' ? { seat: event.seat, points: event.boxes.length } : null));
