import { expect, test } from 'vitest';
import type { PlingoEvent, PlingoView } from '../generated/wire';
import { frames } from '$games/plingo/frames';
import { rounds } from '$games/plingo/rounds';
import { outcome, sentence, together } from '$games/plingo/sentences';

const base: PlingoView = {
  seat: 0, seats: 3, phase: 'play', turn: 2, awaited: [2], winners: [], round: 1, master: 0, side: 'front', leader: 0,
  trump: null, teams: [0, 1, 2], grids: [[1], [], []], new_boxes: [[], [], []], bids: [null, null, null], auction: false, joker_may: false, cards: [0, 0, 1], taken: [1, 0, 0], took: ['B1'], revealed: [], hand: [],
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
  // The whole of it rests, then makes room for the scores.
  const ends = made.findIndex((each) => each.marks.roundEnd);
  expect(made[ends]?.marks.reveal).toBeUndefined();
  expect(made[ends - 1]?.marks.reveal).toHaveLength(3);
  expect(made[ends - 1]?.hold).toBeGreaterThan(1000);
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

const teams: PlingoView = {
  ...base, seats: 4, teams: [0, 1, 0, 1], grids: [[1], [2]], new_boxes: [[], []], bids: [3, 'pass', null, null], auction: true,
  cards: [0, 0, 0, 0], taken: [1, 0, 0, 0], trick: [],
};

test('a tick of either partner is the team\'s', () => {
  const before: PlingoView = { ...teams, phase: 'joker' };
  const made = frames(before, { events: [{ event: 'ticked', seat: 2, boxes: [4] }], view: { ...teams, grids: [[1, 4], [2]] } });
  expect(made[0]?.view.grids).toEqual([[1, 4], [2]]);
});

test('a bid that is missed after all takes its ticks back, in the picture and in the chart', () => {
  const before: PlingoView = { ...teams, phase: 'joker', grids: [[1, 5], [2]] };
  const missed: PlingoEvent = { event: 'missed', seat: 0, bid: 3, boxes: 1 };
  const events: PlingoEvent[] = [{ event: 'joker_left', seat: 0 }, missed];
  const made = frames(before, { events, view: { ...teams, grids: [[1], [2]] } });
  expect(made.find((each) => each.marks.missed)?.view.grids[0]).toEqual([1]);
  const all: PlingoEvent[] = [
    { event: 'dealt', seat: 0, round: 1, hand: [] },
    { event: 'ticked', seat: 2, boxes: [1] },
    { event: 'ticked', seat: 1, boxes: [2] },
    { event: 'dealt', seat: 0, round: 2, hand: [] },
    { event: 'ticked', seat: 2, boxes: [5] },
    ...events,
  ];
  expect(rounds(all, 4, teams).map((each) => each.scores)).toEqual([[1, 1, 1, 1], [1, 1, 1, 1]]);
});

test('partners win together, two teams share', () => {
  const who = (seat: number) => ({ you: seat === 0, name: `S${seat}` });
  const over: PlingoView = { ...teams, phase: 'over', full_grid: true, winners: [1, 3], grids: [[1], [1, 2, 3, 4, 5, 6, 7, 8, 9]] };
  expect(together(over)).toBe(true);
  expect(outcome(over, who)).toBe('S1 and S3 filled their grid.');
  expect(outcome({ ...over, winners: [0, 2] }, who)).toBe('Your team filled its grid.');
  expect(together({ ...over, winners: [0, 1, 2, 3] })).toBe(false);
  expect(outcome({ ...over, full_grid: false, grids: [[1], [2]] }, who)).toContain('equal boxes; S1 and S3');
  expect(outcome({ ...over, full_grid: false, grids: [[1], [2, 3]] }, who)).toContain('the most boxes');
});
