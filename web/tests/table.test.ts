// What the table shows of a state, rendered without a browser.
import { render } from 'svelte/server';
import { expect, test, vi } from 'vitest';
import LastTrick from '$table/LastTrick.svelte';
import Emblem from '$art/Emblem.svelte';
import Hand from '$table/Hand.svelte';
import MarshmallowStrip from '$games/marshmallow/Strip.svelte';
import MasterCard from '$games/plingo/MasterCard.svelte';

vi.stubGlobal('innerWidth', 360);
vi.stubGlobal('innerHeight', 640);

const stage = (view: object, more: object = {}) =>
  ({ view: { seat: 0, seats: 3, phase: 'play', awaited: [0], ...view }, seat: 0, myTurn: true, legal: ['play B7'], frame: null, nameOf: (seat: number) => `S${seat}`, chances: null, best: null, premove: null, mayPremove: false, ...more }) as never;
const text = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

test('trumps are marked in the hand, for eyes and ears', () => {
  const { body } = render(Hand, { props: { stage: stage({ trump: 'B' }), cards: ['G2', 'B7'] } });
  const [, leaf = '', wave = ''] = body.split('<button');
  expect(text(wave)).toContain('Play the blue 7, trump');
  expect(wave).toMatch(/class="trump/);
  expect(leaf).not.toMatch(/trump/);
  const without = render(Hand, { props: { stage: stage({ trump: null }), cards: ['G2', 'B7'] } });
  expect(without.body).not.toMatch(/trump/);
});

test('a number of a hint says what it is', () => {
  const hinted = { chances: { 'play B7': 0.62 }, best: ['play B7', 0.62] };
  const { body } = render(Hand, { props: { stage: stage({ trump: null }, hinted), cards: ['G2', 'B7'] } });
  expect(text(body)).toContain('wins about 62% of games');
});

test('the trump is lit in the ring of the cloth', () => {
  const discs = (lit: string | null) => render(Emblem, { props: { lit } }).body.match(/class="disc/g)?.length ?? 0;
  expect([discs('G'), discs(null)]).toEqual([1, 0]);
});

test('who took the last trick', () => {
  const last = (winner: number) => text(render(LastTrick, { props: { stage: stage({ last_trick: [{ seat: 0, card: 'B7' }, { seat: 1, card: 'B2' }], last_winner: winner }) } }).body);
  expect(last(0)).toContain('You took it.');
  expect(last(1)).toContain('Taken by S1');
});

test('the marshmallows that win are always shown', () => {
  for (const target of [20, 8]) {
    const { body } = render(MarshmallowStrip, { props: { stage: stage({ round: 1, trump: null, target }) } });
    expect(text(body)).toContain(`to ${target}`);
  }
});

test('the master card has a name for all', () => {
  const { body } = render(MasterCard, { props: { side: 'back' } });
  expect(body).toContain('aria-label="Master card, turned once"');
  expect(text(body)).toContain('Master');
});
