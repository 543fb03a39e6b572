import { expect, test } from 'vitest';
import { gridLines } from '$ui/chart';

test('no two lines of a chart are at one score', () => {
  expect(gridLines(20)).toEqual([0, 10, 20]);
  expect(gridLines(1)).toEqual([0, 1]);
  expect(gridLines(0)).toEqual([0]);
});
