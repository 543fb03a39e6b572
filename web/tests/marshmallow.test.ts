import { expect, test } from 'vitest';
import type { MarshmallowEvent, MarshmallowView } from '../generated/wire';
import { frames } from '$games/marshmallow/frames';
import type { AnyEvent, AnyView } from '$games/game';
import { withOwnCard } from '$games/tricks';
import { game } from '$games/marshmallow';
import { reason } from '$games/marshmallow/sentences';

const base: MarshmallowView = {
  seat: 0, seats: 3, phase: 'play', turn: 2, awaited: [2], winners: [], edition: 'en', target: 20,
  tricks_to_go_out: 4, round: 2, dealer: 0, leader: 0, trump: 'G', scores: [0, 5, 3], tricks: [1, 3, 2],
  out: [], cards: [5, 5, 6], hand: ['B1', 'Y2'], trick: [{ seat: 0, card: 'B7' }, { seat: 1, card: 'B9' }],
  last_trick: [], last_winner: null,
};
const full = [...base.trick, { seat: 2, card: 'B2' }];

test('a card is one picture, with the view that came with it', () => {
  const view = { ...base, trick: full };
  const made = frames(base, { events: [{ event: 'played', seat: 2, card: 'B2' }], view });
  expect(made).toHaveLength(1);
  expect(made[0]?.view).toBe(view);
});

test('a full trick lies still for more than a second before it is gathered', () => {
  const after = { ...base, trick: [], tricks: [1, 4, 2], last_trick: full, last_winner: 1, turn: 1, awaited: [1] };
  const events: MarshmallowEvent[] = [
    { event: 'played', seat: 2, card: 'B2' },
    { event: 'took', seat: 1, cards: full },
  ];
  const made = frames(base, { events, view: after });
  const lying = made.filter((each) => each.view.trick.length === 3);
  expect(lying.reduce((sum, each) => sum + each.hold, 0)).toBeGreaterThan(1000);
  expect(lying.at(-1)?.marks.taker).toBe(1);
  expect(made.at(-1)?.view).toBe(after);
});

test('marshmallows are paid one by one, and only after the trick is gathered', () => {
  const after = { ...base, trick: [], tricks: [1, 4, 2], out: [1], scores: [0, 8, 3], last_trick: full, last_winner: 1, turn: 2, awaited: [2] };
  const events: MarshmallowEvent[] = [
    { event: 'played', seat: 2, card: 'B2' },
    { event: 'took', seat: 1, cards: full },
    { event: 'went_out', seat: 1, points: 3 },
  ];
  const made = frames(base, { events, view: after });
  const scores = made.filter((each) => each.view.trick.length === 0).map((each) => each.view.scores[1]);
  expect(scores).toEqual([5, 6, 7, 8, 8]);
  expect(made.flatMap((each) => each.events)).toEqual(events);
});

test('every event is told once, also at the end of a round', () => {
  const after: MarshmallowView = { ...base, phase: 'dealing', trick: [], turn: null, awaited: [], last_trick: full, last_winner: 1 };
  const events: MarshmallowEvent[] = [
    { event: 'played', seat: 2, card: 'B2' },
    { event: 'took', seat: 1, cards: full },
    { event: 'went_out', seat: 1, points: 1 },
    { event: 'round_over', seat: 2 },
  ];
  const made = frames(base, { events, view: after });
  expect(made.flatMap((each) => each.events)).toEqual(events);
  expect(made.at(-1)?.view).toBe(after);
});

test('what cannot be played is told with the colour of the trick', () => {
  expect(reason('must_follow', base)).toContain('blue');
  expect(reason('not_your_turn', base)).toBeNull();
  const trumped = { ...base, trick: [{ seat: 1, card: 'B9' }, { seat: 2, card: 'G1' }] };
  expect(reason('must_follow', trumped)).toContain('trump');
  expect(reason('must_trump', { ...trumped, edition: 'fr' })).toContain('green');
});

test('points by round add up', () => {
  const events: MarshmallowEvent[] = [
    { event: 'dealt', seat: 0, round: 1, hand: [] },
    { event: 'went_out', seat: 1, points: 4 },
    { event: 'dealt', seat: 0, round: 2, hand: [] },
    { event: 'went_out', seat: 1, points: 2 },
    { event: 'went_out', seat: 2, points: 5 },
  ];
  expect(game.rounds(events, 3, {} as AnyView).map((each) => each.scores)).toEqual([[0, 4, 0], [0, 6, 5]]);
});

test('the own card lies on the table before the server has spoken, and nothing else is foreseen', () => {
  const mine = { ...base, turn: 0, awaited: [0], trick: [{ seat: 2, card: 'B7' }] };
  const after = withOwnCard(mine, 'play B1');
  expect(after?.hand).toEqual(['Y2']);
  expect(after?.trick).toEqual([...mine.trick, { seat: 0, card: 'B1' }]);
  expect(after?.awaited).toEqual([]);
  expect(withOwnCard(mine, 'trump G')).toBe(null);
  expect(withOwnCard({ ...mine, seat: null }, 'play B1')).toBe(null);
});

test('the end of a round is shown before the next one is dealt, and nobody who is out comes back', () => {
  const after: MarshmallowView = { ...base, round: 3, trick: [], tricks: [0, 0, 0], out: [], scores: [0, 8, 3], turn: 0, awaited: [0], last_trick: [], last_winner: null };
  const events: MarshmallowEvent[] = [
    { event: 'played', seat: 2, card: 'B2' },
    { event: 'took', seat: 1, cards: full },
    { event: 'went_out', seat: 1, points: 3 },
    { event: 'round_over', seat: 0 },
    { event: 'dealt', seat: 0, round: 3, hand: [] },
  ];
  const made = frames({ ...base, out: [0] }, { events, view: after });
  const at = made.findIndex((each) => each.marks.roundEnd);
  expect(made[at]?.events).toEqual([events[3]]);
  expect(made[at]?.view.scores).toEqual(after.scores);
  expect(made.slice(at + 1).map((each) => each.events)).toEqual([[events[4]]]);
  const gathered = made.slice(0, at + 1).filter((each) => each.view.trick.length === 0);
  expect(gathered.map((each) => each.view.out)).toEqual(gathered.map(() => [0, 1]));
});

test('events are told as in the terminal', () => {
  const who = (seat: number) => ({ you: seat === 0, name: `S${seat}` });
  const told = (event: object) => game.sentence(event as AnyEvent, who);
  expect(told({ event: 'trump', seat: 1, colour: 'G' })).toBe('S1 names green trump.');
  expect(told({ event: 'played', seat: 0, card: 'B12' })).toBe('You play the blue 12.');
  expect(told({ event: 'went_out', seat: 2, points: 4 })).toBe('S2 goes out. Marshmallows: 4.');
  expect(told({ event: 'took', seat: 2, cards: [{ seat: 2, card: 'B1' }] })).toBe('S2 takes the trick.');
});
