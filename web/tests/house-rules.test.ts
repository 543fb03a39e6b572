import { expect, test } from 'vitest';
import type { TableInfo } from '../generated/wire';
import type { GameClient, OptionText } from '$games/game';
import { options } from '$games/marshmallow/sentences';
import { departures, valueText } from '$table/house-rules';

const table = (names: string[], chosen: Record<string, unknown>) => ({ departures: names, options: chosen }) as unknown as TableInfo;
const playing = (texts: Record<string, OptionText>) => ({ options: () => texts }) as unknown as GameClient;

const texts: Record<string, OptionText> = {
  auction: { label: 'Bids', about: 'Who bids most.', proposal: true, values: { on: { label: 'with bids', about: 'The highest bid plays.' } } },
  pause: { label: 'Pause', about: 'How long.', values: {}, shown: (n) => `${n / 1000} s` },
};

test('what differs is told in the words of the game, with what is our proposal', () => {
  const told = departures(table(['auction', 'pause'], { auction: 'on', pause: 3000 }), playing(texts));
  expect(told).toEqual([
    { name: 'auction', label: 'Bids', value: 'with bids', about: 'The highest bid plays.', proposal: true },
    { name: 'pause', label: 'Pause', value: '3 s', about: 'How long.', proposal: false },
  ]);
});

test('an option that this page has no words for is told by its name', () => {
  expect(departures(table(['zeal'], { zeal: 7 }), playing(texts))).toEqual([{ name: 'zeal', label: 'zeal', value: '7', about: '', proposal: false }]);
  expect(departures(table(['zeal'], { zeal: 'high' }), null)[0]?.value).toBe('high');
});

test('a table by the book has nothing to tell', () => {
  expect(departures(table([], {}), playing(texts))).toEqual([]);
  expect(departures(null, null)).toEqual([]);
});

test('marshmallow offers the book and one to eleven tricks, but two players not one', () => {
  const text = options().tricks_to_go_out;
  expect(valueText(text, 'book')).toBe('by the book');
  expect(valueText(text, 11)).toBe('11');
  expect(text?.numbers?.({ seats: 4 })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(text?.numbers?.({ seats: 2 })?.[0]).toBe(2);
});
