import { expect, test } from 'vitest';
import { seatDirection, seatPositions } from '$layout/seats';
import { fan } from '$layout/fan';
import { parseRoute } from '$device/router.svelte';
import { preferred } from '$device/languages';
import { replaceEqualDeep } from '$net/delta';
import { backoff } from '$net/socket';
import { CARDS, fullPlan, boardLayout, PLACES, transformFrom, growingPlan } from '$games/twinit/board-layout';

test('the next seat clockwise sits on the left, the last on the right', () => {
  for (let others = 2; others <= 5; others++) {
    const found = seatPositions(others);
    expect(found[0]?.x).toBeLessThan(50);
    expect(found.at(-1)?.x).toBeGreaterThan(50);
    expect(found.map((each) => each.x)).toEqual([...found.map((each) => each.x)].sort((a, b) => a - b));
  }
});

test('the own card lies at the bottom, from whichever seat one looks', () => {
  for (let seat = 0; seat < 4; seat++) expect(seatDirection(seat, seat, 4)).toBe(-90);
});

test('for who only watches all sit in a ring, and so lie their cards', () => {
  expect(seatPositions(4, true).map(({ x, y }) => [Math.round(x), Math.round(y)])).toEqual([[50, 89], [8, 50], [50, 11], [92, 50]]);
  const cards = [0, 1, 2, 3].map((seat) => seatDirection(seat, null, 4));
  expect(seatPositions(4, true).map((each) => each.angle)).toEqual(cards);
});

test('every card of a hand shows enough for a finger on a phone, and none leaves the screen', () => {
  for (let count = 1; count <= 12; count++) {
    const { spots: found, card } = fan(count, 344, 740);
    expect(found).toHaveLength(count);
    for (const [i, spot] of found.entries()) {
      expect(spot.x).toBeGreaterThanOrEqual(-0.5);
      expect(spot.x + card).toBeLessThanOrEqual(344.5);
      const next = found[i + 1];
      if (next && next.row === spot.row) expect(next.x - spot.x).toBeGreaterThanOrEqual(38);
    }
  }
});

test('a wide hand lies in one row', () => {
  expect(new Set(fan(12, 992, 900).spots.map((each) => each.row))).toEqual(new Set([0]));
});

test('addresses lead to their pages', () => {
  expect(parseRoute('/')).toEqual({ page: 'home' });
  expect(parseRoute('/t/k3x9abcd01')).toEqual({ page: 'table', table: 'k3x9abcd01' });
  expect(parseRoute('/rules/plingo')).toEqual({ page: 'rules', game: 'plingo' });
  expect(parseRoute('/r/k3x9abcd01/2')).toEqual({ page: 'replay', table: 'k3x9abcd01', game: 2 });
  expect(parseRoute('/r/k3x9abcd01/0')).toEqual({ page: 'lost' });
  expect(parseRoute('/t/k3x9abcd01/more')).toEqual({ page: 'lost' });
  expect(parseRoute('/t/nowhere')).toEqual({ page: 'lost' });
});

test('the first language that we speak is taken', () => {
  expect(preferred(['de-CH', 'fr-CH', 'en'])).toBe('fr');
  expect(preferred(['de'])).toBe('en');
  expect(preferred([])).toBe('en');
});

test('attempts to come back get rarer, but never rarer than every few seconds', () => {
  expect(backoff(0, 0.5)).toBe(300);
  expect(backoff(1, 0.5)).toBe(600);
  expect(backoff(30, 1)).toBeLessThanOrEqual(6250);
});

test('no two places of Twin It! share a cell, on a table of any shape', () => {
  for (const shape of [0.5, 0.57, 1, 1.6, 2.4])
    for (const [{ cells }, places] of [[growingPlan(shape), CARDS], [fullPlan(shape), PLACES]] as const) {
      expect(cells).toHaveLength(places);
      expect(new Set(cells.map(({ x, y }) => `${x} ${y}`)).size).toBe(places);
    }
});

test('places for cards that are moved cost the cards next to nothing', () => {
  // Tables of coop and rush, with one and with six seats, on a phone, a tablet and a desk.
  for (const [width, height] of [[350, 617], [350, 570], [350, 532], [791, 1022], [791, 962], [1411, 736], [1411, 677], [1411, 646]] as const) {
    const columns = Array.from({ length: CARDS }, (_, i) => i + 1);
    const without = Math.max(...columns.map((n) => Math.min(width / n, height / Math.ceil(CARDS / n)))) / 1.1;
    expect(boardLayout(width, height, PLACES, fullPlan(width / height)).card).toBeGreaterThan(0.95 * without);
  }
});

test('the nearest of some places is found where one is near', () => {
  const seen = boardLayout(1400, 700, PLACES, fullPlan(2));
  const middle = (place: number) => ({ x: seen.at(place).x + seen.card / 2, y: seen.at(place).y + seen.card / 2 });
  for (const place of [0, 57, PLACES - 1]) expect(seen.nearest(middle(place), [3, place, 99])).toBe(place);
  const from = middle(0);
  expect(seen.nearest({ x: from.x + 0.4 * seen.card, y: from.y }, [0])).toBe(0);
  expect(seen.nearest({ x: from.x + 2 * seen.card, y: from.y }, [0])).toBeNull();
  expect(seen.nearest(from, [])).toBeNull();
});

test('all cards of Twin It! are large enough for a finger on a phone, once one looks nearer', () => {
  const plan = fullPlan(350 / 620);
  expect(boardLayout(350, 620, PLACES, plan).card).toBeGreaterThan(34);
  expect(boardLayout(350, 620, PLACES, plan, 1.4).card).toBeGreaterThanOrEqual(44);
});

test('a layout of a smaller scale begins where the one before was', () => {
  const plan = growingPlan(1);
  const [before, now] = [boardLayout(600, 600, 12, plan), boardLayout(600, 600, 20, plan)];
  const [, x, y, scale] = /translate\((.+)px, (.+)px\) scale\((.+)\)/.exec(transformFrom(before, now))?.map(Number) ?? [];
  for (const place of [0, 5, 11]) {
    expect(before.at(place).x).toBeCloseTo((x ?? 0) + (scale ?? 0) * now.at(place).x);
    expect(before.at(place).y).toBeCloseTo((y ?? 0) + (scale ?? 0) * now.at(place).y);
  }
});

test('what did not change stays the same object, and what did is as it came', () => {
  const before = { table: [{ face: '1a' }, { face: '2b' }], hands: [[{ card: 1 }], []], level: null };
  const now = replaceEqualDeep(before, { table: [{ face: '1a' }, { face: '2b' }], hands: [[], []], level: 'experts' });
  expect(now).toEqual({ table: [{ face: '1a' }, { face: '2b' }], hands: [[], []], level: 'experts' });
  expect(now.table).toBe(before.table);
  expect(now.hands[1]).toBe(before.hands[1]);
  expect(replaceEqualDeep(before, structuredClone(before))).toBe(before);
  expect(replaceEqualDeep({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 });
});
