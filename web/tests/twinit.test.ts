import { expect, test } from 'vitest';
import { flips } from '../src/games/twinit/faces';

const seen = (awaited: number[], tied: number[] = []) => ({ awaited, tops: ['12a', '57b'], counts: [{ cards: tied, until: 0 }] }) as never;

test('one may flip when that is awaited, unless the own top is being counted out', () => {
  expect(flips({ view: seen([1]), seat: 1, past: false })).toBe(true);
  expect(flips({ view: seen([0, 1], [12, 99]), seat: 1, past: false })).toBe(true);
  expect(flips({ view: seen([0]), seat: 1, past: false })).toBe(false);
  expect(flips({ view: seen([1], [57, 99]), seat: 1, past: false })).toBe(false);
  expect(flips({ view: seen([1]), seat: 1, past: true })).toBe(false);
  expect(flips({ view: seen([1]), seat: null, past: false })).toBe(false);
});
