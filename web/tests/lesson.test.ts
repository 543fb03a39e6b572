import { expect, test } from 'vitest';
import { answerTo, type AskStep } from '../src/games/lesson';
import { bubblePlace } from '../src/layout/bubble-place';
import { selectorOf } from '../src/table/lights';

const space = { x: 12, y: 60, width: 336, height: 560 };
const size = { width: 300, height: 110 };

test('a bubble covers nothing that is lit or touched, and is near it', () => {
  const hand = { x: 0, y: 520, width: 360, height: 110 };
  const lit = { x: 140, y: 260, width: 80, height: 110 };
  const { x, y } = bubblePlace(size, space, { never: [hand, lit] }, [lit]);
  expect(x).toBeGreaterThanOrEqual(space.x);
  expect(x + size.width).toBeLessThanOrEqual(space.x + space.width);
  const above = y + size.height <= lit.y;
  const between = y >= lit.y + lit.height && y + size.height <= hand.y;
  expect(above || between).toBe(true);
  expect(Math.min(Math.abs(lit.y - y - size.height), Math.abs(y - lit.y - lit.height))).toBeLessThan(40);
});

test('where there is little space a bubble covers other seats, but not the own one', () => {
  // A phone of 360 by 640 points: seats on top, the trick, the own seat, the hand.
  const seats = [12, 122, 232].map((x) => ({ x, y: 56, width: 110, height: 124 }));
  const trick = { x: 134, y: 216, width: 165, height: 154 };
  const own = { x: 0, y: 462, width: 226, height: 56 };
  const hand = { x: 0, y: 522, width: 360, height: 110 };
  const high = { width: 336, height: 107 };
  const { y } = bubblePlace(high, { ...space, y: 54 }, { never: [trick, hand], own: [own], rather: seats }, [trick]);
  expect(y + high.height <= own.y || y >= own.y + own.height).toBe(true);
  expect(y + high.height <= trick.y || y >= trick.y + trick.height).toBe(true);
});

test('a bubble fits exactly between what is lit and the own seat, whatever the steps in which places are tried', () => {
  const lit = { x: 0, y: 200, width: 360, height: 83 };
  const own = { x: 0, y: 301 + size.height, width: 360, height: 59 };
  const { y } = bubblePlace(size, space, { never: [lit, { ...lit, y: 60, height: 140 }], own: [own] }, [lit]);
  expect(y).toBeGreaterThan(lit.y + lit.height + 8); // off its drawn edge
  expect(y + size.height).toBeLessThanOrEqual(own.y);
});

test('an answer to an action comes before one to its code', () => {
  const step = { codes: { 'play B1': 'legal', 'play B2': 'legal', 'play G1': 'must_follow' }, answers: { 'play B1': 'first', legal: 'other' } } as unknown as AskStep;
  expect(['play B1', 'play B2', 'play G1', 'play Y1'].map((action) => answerTo(step, action))).toEqual(['first', 'other', undefined, undefined]);
});

test('what is lit has a name, and a game may add its own', () => {
  expect(selectorOf('card B7')).toBe('.cards [data-card="B7"]');
  expect(selectorOf('choice trump O')).toBe('.slip [data-action="trump O"]');
  expect(selectorOf('seat 1')).toBe('[data-light="seat 1"]');
  expect(selectorOf('stack 3')).toBeNull();
  expect(selectorOf('stack 3', { 'stack *': '.stack-*' })).toBe('.stack-3');
});
