import { expect, test } from 'vitest';
import type { PlingoEvent, PlingoView } from '../generated/wire';
import { frames } from '../src/games/plingo/frames';
import { sentence } from '../src/games/plingo/sentences';

const base: PlingoView = {
  seat: 0, seats: 3, phase: 'play', turn: 2, awaited: [2], winners: [], round: 1, master: 0, side: 'front', leader: 0,
  trump: null, grids: [[1], [], []], cards: [0, 0, 1], taken: [1, 0, 0], took: ['B1'], revealed: [], hand: [],
  trick: [{ seat: 0, card: 'B7' }, { seat: 1, card: 'G7' }], last_trick: [], last_winner: 0, full_grid: false,
};
const played: PlingoEvent = { event: 'played', seat: 2, card: 'P3' };

test('cancelled cards are seen to cancel before the rest is taken', () => {
  const events: PlingoEvent[] = [played, { event: 'cancelled', cards: ['B7', 'G7'] }, { event: 'took', seat: 2, cards: ['P3'] }];
  const made = frames(base, { events, view: { ...base, trick: [], master: 2, taken: [1, 0, 1] } });
  expect(made.map((each) => each.marks.cancelled?.length ?? 0)).toEqual([0, 2, 2, 0]);
  expect(made[2]?.marks.taker).toBe(2);
});

test('if every card cancels, nobody is marked as taker', () => {
  const events: PlingoEvent[] = [
    { event: 'played', seat: 2, card: 'P7' },
    { event: 'cancelled', cards: ['B7', 'G7', 'P7'] },
    { event: 'nobody_took', seat: 0 },
  ];
  const made = frames(base, { events, view: { ...base, trick: [] } });
  expect(made.every((each) => each.marks.taker === undefined)).toBe(true);
});

test('the reveal opens seat by seat, and boxes are ticked as it tells', () => {
  const after: PlingoView = { ...base, phase: 'dealing', trick: [], grids: [[1], [], [3]], taken: [1, 0, 1] };
  const events: PlingoEvent[] = [
    played,
    { event: 'took', seat: 2, cards: ['B7', 'G7', 'P3'] },
    { event: 'revealed', seat: 0, cards: ['B1'], unique: [1] },
    { event: 'revealed', seat: 1, cards: [], unique: [] },
    { event: 'revealed', seat: 2, cards: ['B7', 'G7', 'P3'], unique: [3] },
    { event: 'ticked', seat: 2, boxes: [3] },
  ];
  const made = frames(base, { events, view: after });
  expect(made.flatMap((each) => each.events)).toEqual(events);
  const open = made.map((each) => each.marks.reveal?.length ?? 0);
  expect(Math.max(...open)).toBe(3);
  const ticked = made.find((each) => each.marks.ticked);
  expect(ticked?.view.grids[2]).toEqual([3]);
  expect(made.at(-1)?.view).toBe(after);
});

test('after a joker nothing is laid open that the view does not show', () => {
  const before: PlingoView = { ...base, phase: 'joker', trick: [] };
  const ticked: PlingoEvent = { event: 'ticked', seat: 1, boxes: [4] };
  const made = frames(before, { events: [ticked], view: { ...before, phase: 'dealing' } });
  expect(made[0]?.view.phase).toBe('joker');
  expect(made.every((each) => each.marks.reveal === undefined)).toBe(true);
});

test('sentences name who did what', () => {
  const who = (seat: number) => ({ you: seat === 0, name: `S${seat}` });
  expect(sentence(played, who)).toBe('S2 plays the pink 3.');
  expect(sentence({ event: 'cancelled', cards: ['B7', 'G7'] }, who)).toBe('They cancel each other: the blue 7 and the green 7.');
  expect(sentence({ event: 'revealed', seat: 0, cards: [], unique: [] }, who)).toContain('nothing');
});
