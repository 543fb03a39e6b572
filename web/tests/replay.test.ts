// Where things are in a replay.
import { describe, expect, it } from 'vitest';
import type { AnyEvent, AnyView, Frame, Marks } from '$games/game';
import { chapters, firstCard, lastTold, neighbour, roundAt, trickEnds } from '$session/replay-index';

const view: AnyView = { seat: null, seats: 2, phase: 'play', turn: 0, awaited: [0], winners: [] };
const frame = (events: (AnyEvent & { round?: number })[], marks: Marks = {}): Frame => ({ view, events, hold: 0, marks });
const dealt = (round: number) => frame([{ event: 'dealt', round }]);
const played = () => frame([{ event: 'played' }]);
const taken = () => frame([{ event: 'took' }], { taker: 1 });
const still = (marks: Marks = {}) => frame([], marks);

const game = [still(), dealt(1), frame([{ event: 'trump' }]), played(), played(), taken(), still({ taker: 1 }), still(), dealt(2), played(), taken()];

describe('a replay', () => {
  it('has a chapter for every deal', () => {
    expect(chapters(game)).toEqual([{ at: 1, round: 1 }, { at: 8, round: 2 }]);
    expect([0, 1, 7, 8].map((at) => roundAt(chapters(game), at))).toEqual([null, 1, 1, 2]);
  });

  it('stops once at every complete trick', () => {
    expect(trickEnds(game)).toEqual([5, 10]);
  });

  it('opens on the first card that is played', () => {
    expect(firstCard(game)).toBe(3);
    expect(firstCard([still(), dealt(1)])).toBe(0);
  });

  it('tells what happened last where a frame tells nothing', () => {
    expect(lastTold(game, 7)).toEqual([{ event: 'took' }]);
    expect(lastTold(game, 0)).toEqual([]);
  });

  it('goes to the neighbouring stop, and at the ends to the end', () => {
    expect(neighbour([1, 8], 3, 1, 10)).toBe(8);
    expect(neighbour([1, 8], 8, 1, 10)).toBe(10);
    expect(neighbour([1, 8], 8, -1, 10)).toBe(1);
    expect(neighbour([1, 8], 1, -1, 10)).toBe(0);
  });
});
