// Where things are in a replay: rounds, tricks, the first card, the sentence of a frame, the lines of the log. Pure
// functions over its frames.
import type { AnyEvent, Frame } from '$games/game';
import { isDeal } from '$games/round-scores';

/** A frame at which something begins that one may want to go to. */
export interface Chapter {
  at: number;
  round: number;
}

/** The frames in which rounds are dealt. */
export function chapters(frames: readonly Frame[]): Chapter[] {
  return frames.flatMap(({ events }, at) => events.filter(isDeal).map(({ round }) => ({ at, round })));
}

/** The frames in which a trick lies complete, with its winner marked. */
export function trickEnds(frames: readonly Frame[]): number[] {
  const taken = (at: number) => frames[at]?.marks.taker !== undefined;
  return frames.flatMap((_, at) => (taken(at) && !taken(at - 1) ? [at] : []));
}

/** Where a replay opens: on the first card that is played, not on an empty table. */
export function firstCard(frames: readonly Frame[]): number {
  return Math.max(0, frames.findIndex(({ events }) => events.some(({ event }) => event === 'played')));
}

/** What was told last at a frame: its own events, or those of the frame before that had some. */
export function lastTold(frames: readonly Frame[], at: number): readonly AnyEvent[] {
  return frames.slice(0, at + 1).findLast(({ events }) => events.length > 0)?.events ?? [];
}

/** The round of a frame; null: before the first deal. */
export function roundAt(all: readonly Chapter[], at: number): number | null {
  return all.findLast((each) => each.at <= at)?.round ?? null;
}

/** The nearest of some frames before or after one; without any, the first or the last frame of all. */
export function neighbour(stops: readonly number[], at: number, step: 1 | -1, last: number): number {
  return step > 0 ? (stops.find((each) => each > at) ?? last) : (stops.findLast((each) => each < at) ?? 0);
}
