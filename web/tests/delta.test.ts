import { expect, test } from 'vitest';
import type { Change, Update } from '$generated/wire';
import { replaceEqualDeep, applyDelta } from '$net/delta';

const update: Update = { type: 'update', n: 4, time: 100, events: [], view: { turn: 0, hand: ['B1', 'G2'] }, legal: ['play B1', 'play G2'], did: 0, clock: null };
const change: Change = { type: 'change', n: 5, time: 130, events: [], view: { turn: 1 }, gone: ['play B1'], more: ['pass'], did: 2, clock: 900 };

test('a change makes an update of what was known', () => {
  expect(applyDelta(update, change)).toEqual({ ...update, n: 5, time: 130, view: { turn: 1, hand: ['B1', 'G2'] }, legal: ['play G2', 'pass'], did: 2, clock: 900 });
});

test('what a change does not name stays the same object', () => {
  const after = applyDelta(update, { ...change, gone: [], more: [] });
  expect((after.view as { hand: string[] }).hand).toBe((update.view as { hand: string[] }).hand);
  expect(after.legal).toBe(update.legal);
});

test('equal parts of two views are one object', () => {
  const before = { table: [{ face: '1a' }, { face: '2a' }], hands: [[1]] };
  const now = replaceEqualDeep(before, { table: [{ face: '1a' }, { face: '2a' }], hands: [[2]] });
  expect(now.table).toBe(before.table);
  expect(now.hands).toEqual([[2]]);
  expect(replaceEqualDeep(before, structuredClone(before))).toBe(before);
});
