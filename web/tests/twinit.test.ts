import { expect, test } from 'vitest';
import { summaries } from '$device/reaction-times';
import { game } from '$games/twinit';
import { countAt } from '$games/twinit/countdown';
import { flips } from '$games/twinit/faces';
import { options, outcome } from '$games/twinit/sentences';

const seen = (awaited: number[], tied: number[] = []) => ({ awaited, tops: ['12a', '57b'], counts: [{ cards: tied, until: 0 }] }) as never;

test('one may flip when that is awaited, unless the own top is being counted out', () => {
  expect(flips({ view: seen([1]), seat: 1, readOnly: false, starting: null, myTurn: true })).toBe(true);
  expect(flips({ view: seen([0, 1], [12, 99]), seat: 1, readOnly: false, starting: null, myTurn: true })).toBe(true);
  expect(flips({ view: seen([0]), seat: 1, readOnly: false, starting: null, myTurn: false })).toBe(false);
  expect(flips({ view: seen([1], [57, 99]), seat: 1, readOnly: false, starting: null, myTurn: true })).toBe(false);
  expect(flips({ view: seen([1]), seat: 1, readOnly: true, starting: null, myTurn: true })).toBe(false);
  expect(flips({ view: seen([1]), seat: null, readOnly: false, starting: null, myTurn: true })).toBe(false);
  expect(flips({ view: seen([1]), seat: 1, readOnly: false, starting: { waitsFor: [], at: null, loaded: () => 1 }, myTurn: true })).toBe(false);
});

test('a card that one moves lies there at once; what else one does is for the server to say', () => {
  const view = { table: [{ face: '5a', place: 5 }, { face: '57b', place: 57 }], hands: [[]] } as never;
  expect(game.preview(view, 'move 57 to 140')).toEqual({ table: [{ face: '5a', place: 5 }, { face: '57b', place: 140 }], hands: [[]] });
  for (const action of ['touch 57', 'turn 57', 'lift 57', 'flip', 'move 6 to 140']) expect(game.preview(view, action)).toBeNull();
});

test('the larger team alone is asked for the taboo, and options stand where they change something', () => {
  const offered = (mode: string, seats: number) => Object.entries(options()).filter(([, { when }]) => when?.({ mode, seats }) ?? true).map(([name]) => name);
  expect(offered('teams', 5)).toEqual(['mode', 'taboo_team', 'first_player', 'catches', 'count_ms', 'hand_ms']);
  for (const seats of [4, 6]) expect(offered('teams', seats)).not.toContain('taboo_team');
  expect(offered('race', 5)).toEqual(['mode', 'first_player', 'catches', 'count_ms', 'hand_ms']);
  for (const mode of ['coop', 'rush']) expect(offered(mode, 5)).toEqual(['mode', 'minute_ms', 'hand_ms']);
  expect(Object.keys(options().taboo_team?.values ?? {}).sort()).toEqual(['0', 'none']);
});

test('the result of a minute has a level, that of another time has none', () => {
  const ended = (level: string | null) => outcome({ mode: 'coop', points: [7], level } as never, () => ({ you: false, name: '' }));
  expect(ended('experts')).toBe('Points: 7. Level: experts.');
  expect(ended(null)).toBe('Points: 7.');
});

test('three, two and one are shown for a second each, also by a page that comes later, and then nothing', () => {
  const shown: number[] = [];
  for (let now = 7000; ; ) {
    const { count, next } = countAt(10_000, now);
    shown.push(count);
    if (count === 0) break;
    expect(next).toBe(1000);
    now += next;
  }
  expect(shown).toEqual([3, 2, 1, 0]);
  expect(countAt(10_000, 8600)).toEqual({ count: 2, next: 400 });
  expect(countAt(10_000, 10_300)).toEqual({ count: 0, next: 0 });
});

test('a median is told of three reactions or more, and beside that of earlier games', () => {
  const of = (id: string, ...times: number[]) => times.map((ms) => ({ game: id, mode: 'race', ms }));
  expect(summaries(of('b', 31_100), 'b')).toEqual({ now: null, before: null });
  expect(summaries(of('b', 900, 3000, 1200), 'b')).toEqual({ now: { median: 1200, n: 3 }, before: null });
  expect(summaries([...of('a', 2000, 2000, 2500, 5000), ...of('b', 900, 1200, 3000)], 'b')).toEqual({ now: { median: 1200, n: 3 }, before: { median: 2000, n: 4 } });
});
