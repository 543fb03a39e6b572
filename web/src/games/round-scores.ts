// Scores after each round, for the chart of the result, of all games whose rounds begin with a deal.
import { m } from '$device/i18n.svelte';
import type { AnyEvent, RoundScores } from './game';

/** The points that an event gives to a seat; null: none. */
export type Gain<E> = (event: E) => { seat: number; points: number } | null;

export const isDeal = (event: AnyEvent): event is AnyEvent & { round: number } => event.event === 'dealt';

export function scoresByRound<E extends AnyEvent>(events: readonly E[], seats: number, gain: Gain<E>): RoundScores[] {
  const list: { label: string; scores: number[] }[] = [];
  let scores = Array.from({ length: seats }, () => 0);
  for (const event of events) {
    if (isDeal(event)) {
      scores = [...scores];
      list.push({ label: m.round_n({ n: event.round }), scores });
    }
    const gained = gain(event);
    if (gained) scores[gained.seat] = (scores[gained.seat] ?? 0) + gained.points;
  }
  return list;
}
