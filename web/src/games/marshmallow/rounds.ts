// Scores after each round, for the chart of the result.
import type { MarshmallowEvent } from '$generated/wire';
import { scoresByRound } from '../round-scores';

export const rounds = (events: readonly MarshmallowEvent[], seats: number) =>
  scoresByRound(events, seats, (event) => (event.event === 'went_out' ? event : null));
