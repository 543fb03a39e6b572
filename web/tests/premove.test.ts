import { expect, test } from 'vitest';
import { settlePremove } from '$session/premove';

const view = { seat: 0, seats: 3, phase: 'play', turn: 1, awaited: [1], winners: [], round: 2 };
const premove = { card: 'B7', round: 2 };

test('a card chosen ahead waits for the own turn, and plays if it is legal then', () => {
  expect(settlePremove(premove, view, [])).toBe('waits');
  expect(settlePremove(premove, view, ['play B7', 'play B9'])).toBe('plays');
  expect(settlePremove(premove, view, ['play G1'])).toBe('illegal');
});

test('it is for its round and for cards alone', () => {
  const next = { ...view, round: 3 };
  expect(settlePremove(premove, next, ['play B7'])).toBe('over');
  expect(settlePremove(premove, { ...view, phase: 'trump' }, ['trump B'])).toBe('over');
  expect(settlePremove(premove, { ...view, phase: 'over' }, [])).toBe('over');
});
