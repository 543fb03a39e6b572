import { expect, test } from 'vitest';
import { cardName, chosen, sorted, theCard } from '$art/cards';
import { chooser, hash } from '$art/hash';
import { plural } from '$device/i18n.svelte';
import type { TableInfo } from '$generated/wire';
import { seatName } from '$session/names';
import { isPlayable, catalog } from '$games/catalog.svelte';

test('the same name has the same portrait, however it was typed', () => {
  expect(hash('Zoë')).toBe(hash('zoe\u0308'));
  expect(hash('Ana')).not.toBe(hash('Bea'));
});

test('portraits differ', () => {
  const looks = ['Ana', 'Bea', 'Carl', 'Dora', 'Emil', 'Finn'].map((name) => {
    const pick = chooser(name);
    return [pick([1, 2, 3, 4, 5, 6, 7]), pick([1, 2, 3, 4, 5, 6]), pick([1, 2, 3, 4, 5, 6, 7])].join();
  });
  expect(new Set(looks).size).toBeGreaterThan(4);
});

test('no bot has the name of a person at its table', () => {
  const table = (...names: (string | null)[]) =>
    ({ id: 'kw7', seats: names.map((name) => ({ name, kind: name === null ? 'bot' : 'person' })) }) as TableInfo;
  const shown = (info: TableInfo) => info.seats.map((_, seat) => seatName(info, seat));
  const usual = shown(table('Ann', null, null, null));
  expect(new Set(usual).size).toBe(4);
  for (const herb of usual.slice(1)) {
    const names = shown(table(herb.toUpperCase(), null, null, null));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(4);
    expect(names.filter((name) => usual.includes(name))).toHaveLength(2); // the others keep theirs
  }
  const both = shown(table(usual[1] ?? '', null, null, usual[2] ?? ''));
  expect(new Set(both).size).toBe(4);
});

test('a hand is sorted by colour and value, with trump on the right', () => {
  expect(sorted(['O3', 'B12', 'G1', 'B2'], 'B')).toEqual(['G1', 'O3', 'B2', 'B12']);
});

test('a card is named in words', () => {
  expect(cardName('B12')).toBe('blue 12');
  expect(theCard('B12')).toBe('the blue 12');
});

test('what an action chooses is named, whatever kind of action it is', () => {
  expect(chosen('play B12')).toBe('the blue 12');
  expect(chosen('trump G')).toBe('green');
  expect(chosen('trump none')).toBe('no trump');
  expect(chosen('joker 7')).toBe('7');
});

test('every game is a folder: all four stand on the shelf', () => {
  expect(Object.keys(catalog)).toEqual(['marshmallow', 'plingo', 'merci', 'twinit']);
  expect(isPlayable('marshmallow')).toBe(true);
  expect(isPlayable('chess')).toBe(false);
});

test('one has a word of its own', () => {
  const hearts = (n: number) => plural(n, () => 'heart', () => 'hearts');
  expect([0, 1, 2].map(hearts)).toEqual(['hearts', 'heart', 'hearts']);
});
