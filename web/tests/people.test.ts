import { expect, test } from 'vitest';
import type { TableInfo } from '$generated/wire';
import { byState } from '$pages/own-tables';
import { wishes } from '$pages/rematch';

const seat = (table: string) => ({ table, game: 'plingo', seat: 0, token: 't', used: 1 });
const person = (again: string | null = null, connected = true) => ({ kind: 'person', again, connected });
const info = (...seats: object[]) => ({ seats, kinds: ['same', 'taboo'] }) as unknown as TableInfo;

test('running tables come first, then those that wait, each newest first', () => {
  const states = new Map(Object.entries({ a: 'over', b: 'waiting', c: 'playing', e: 'playing' } as const).map(([name, state]) => [name, { state }]));
  expect(byState(['a', 'b', 'c', 'd', 'e'].map(seat), states).map(({ table }) => table)).toEqual(['c', 'e', 'b', 'a', 'd']);
});

test('a wish of another is joined, and other options go before all else', () => {
  expect(wishes(info(person(), person()), 0)).toEqual({ own: null, asked: [], missing: [1], kind: 'same' });
  expect(wishes(info(person(), person('taboo')), 0).kind).toBe('taboo');
  expect(wishes(info(person('same'), person('same'), person('options')), 0)).toEqual({ own: 'same', asked: [1, 2], missing: [], kind: 'options' });
});

test('who is away is not waited for', () => {
  expect(wishes(info(person('same'), person(null, false)), 0).missing).toEqual([]);
});
