// Points after each round, for the chart of the result.
import type { MarshmallowEvent } from '$generated/wire';
import { m } from '$lib/i18n.svelte';
import type { RoundScores } from '../game';

export function rounds(events: readonly MarshmallowEvent[], seats: number): RoundScores[] {
  const list: { label: string; scores: number[] }[] = [];
  let scores = Array.from({ length: seats }, () => 0);
  for (const event of events) {
    if (event.event === 'dealt') {
      scores = [...scores];
      list.push({ label: m.round_n({ n: event.round }), scores });
    } else if (event.event === 'went_out') {
      scores[event.seat] = (scores[event.seat] ?? 0) + event.points;
    }
  }
  return list;
}
