import { expect, test } from 'vitest';
import { cardName, sorted } from '../src/lib/cards';
import { chooser, hash } from '../src/lib/hash';
import { keepsPromise } from '../src/lib/fairness';
import { playable, shelf } from '../src/games/game';

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

test('a hand is sorted by colour and value, with trump on the right', () => {
  expect(sorted(['O3', 'B12', 'G1', 'B2'], 'B')).toEqual(['G1', 'O3', 'B2', 'B12']);
});

test('a card is named in words', () => {
  expect(cardName('B12')).toBe('blue 12');
});

test('a secret that was promised is told from one that was not', async () => {
  const game = 'abc-1';
  const secret = 'a'.repeat(64);
  const text = new TextEncoder().encode(`pli commitment 1\nid ${game}\nsecret ${secret}\n`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  const promise = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  expect(await keepsPromise(game, secret, promise)).toBe(true);
  expect(await keepsPromise(game, 'b'.repeat(64), promise)).toBe(false);
});

test('every game is a folder: all four stand on the shelf', () => {
  expect(Object.keys(shelf)).toEqual(['marshmallow', 'plingo', 'merci', 'twinit']);
  expect(playable('marshmallow')).toBe(true);
  expect(playable('chess')).toBe(false);
});
