// The table of games from outside: their sentences, what a tap does, the frames of their updates, their round ends.
import { beforeAll, expect, test } from 'vitest';
import type { GameInfo, GameTable } from '$generated/wire';
import { addSuits, cardName, sorted, theCard } from '$art/cards';
import type { AnyEvent, AnyView, Described, Who } from '$games/game';
import { filled, tell, type Texts } from '$games/sentences';
import { clientOf } from '$games/generic';
import { ROUND_END, roundSummary } from '$games/round-summary';

beforeAll(() => addSuits({ H: { symbol: 'heart', name: () => 'hearts' }, C: { symbol: 'club', name: () => 'clubs' } }, ({ suit, rank }, article) => `${article ? 'the ' : ''}${rank} of ${suit}`));

const who = (seat: number): Who => ({ you: seat === 0, name: `P${seat}` });

const texts = (all: Record<string, string>): Texts => ({ has: (key) => key in all, say: (key, values) => filled(all[key] ?? '', values), languageOf: () => 'en' });

const info: GameInfo = { name: 'toy', version: 1, seats: [2, 3], options: [], levels: [], live: false, hints: false };
const table: GameTable = {
  name: 'toy',
  fields: [{ name: 'scores', shows: 'score' }, { name: 'top', shows: 'cards' }],
  suits: ['C', 'H'],
  texts: { en: { name: 'Toy', 'prompts.call': 'Which suit?', 'actions.draw': 'draw a card', 'actions.call': 'call {what}' } },
};
const described: Described = { info, table };

const view = (more: Record<string, unknown>): AnyView =>
  ({ seat: 0, seats: 2, phase: 'play', turn: 0, awaited: [0], winners: [], round: 1, scores: [0, 0], cards: [2, 2], hand: [], ...more }) as AnyView;

test('an event is told with the names of players and cards', () => {
  const all = texts({ 'events.played.you': 'You play {card}.', 'events.played.other': '{seat} plays {card}.', 'events.gained': '{change:+d} for all' });
  expect(tell({ event: 'played', seat: 1, card: 'B7' } as AnyEvent, who, all)).toBe('P1 plays the blue 7.');
  expect(tell({ event: 'played', seat: 0, card: 'HQ' } as AnyEvent, who, all)).toBe('You play the Q of H.');
  expect(tell({ event: 'gained', change: 3 } as AnyEvent, who, all)).toBe('+3 for all');
});

test('lists of cards, seats and the cards of a trick are told one after the other', () => {
  const all = texts({ 'events.took.other': '{seat} takes {cards}.', 'events.out': 'Out: {seats}.' });
  const cards = [{ seat: 0, card: 'B1' }, { seat: 1, card: 'G2' }];
  expect(tell({ event: 'took', seat: 1, cards } as AnyEvent, who, all)).toBe('P1 takes the blue 1 and the green 2.');
  expect(tell({ event: 'out', seats: [0, 1] } as AnyEvent, who, all)).toBe('Out: P0 and P1.');
});

test('a number decides between forms, and an event without words is silent', () => {
  const all = texts({ 'events.drew.other.one': '{seat} draws a card.', 'events.drew.other.other': '{seat} draws {n}.' });
  expect(tell({ event: 'drew', seat: 1, n: 1 } as AnyEvent, who, all)).toBe('P1 draws a card.');
  expect(tell({ event: 'drew', seat: 1, n: 2 } as AnyEvent, who, all)).toBe('P1 draws 2.');
  expect(tell({ event: 'nothing' }, who, all)).toBe('');
  expect(filled('{a}{b}', { a: 1 })).toBe('1');
});

test('cards of any notation have names and an order', () => {
  expect([cardName('B7'), theCard('HQ'), cardName('Gift')]).toEqual(['blue 7', 'the Q of H', 'Gift']);
  expect(sorted(['H2', 'CA', 'C9', 'CT'])).toEqual(['C9', 'CT', 'CA', 'H2']);
  expect(sorted(['10', '9', '3'])).toEqual(['3', '9', '10']);
});

test('a tap does what can be done with the card, by the verb that was chosen', () => {
  const { generic, touch } = clientOf(described);
  expect(touch?.('H2', ['pass H2', 'pass H3'])).toBe('pass H2');
  expect(touch?.('H9', ['pass H2'])).toBe('pass H9'); // to be told why not
  expect(touch?.('H9', ['draw'])).toBe('play H9');
  generic.verb = 'discard';
  expect(touch?.('H2', ['play H2', 'discard H2'])).toBe('discard H2');
  expect(touch?.('H3', ['play H3'])).toBe('play H3');
});

test('actions are said by the texts of the game', () => {
  const { generic } = clientOf(described);
  expect(generic.button('draw')).toBe('Draw a card');
  expect(generic.button('call H')).toBe('Hearts');
  expect(generic.described('call H')).toBe('call hearts');
  expect(generic.described('play H2')).toBe('the 2 of H');
  expect(generic.described('bid 3')).toBe('bid 3');
  expect(generic.prompt('call')).toBe('Which suit?');
  expect(generic.label('round_points')).toBe('Round points');
});

test('a trick lies full, then with its winner, then it is gathered', () => {
  const client = clientOf(described);
  const before = view({ hand: ['H2'], trick: [{ seat: 1, card: 'H9' }], last_trick: [], last_winner: null });
  const cards = [{ seat: 1, card: 'H9' }, { seat: 0, card: 'H2' }];
  const after = view({ trick: [], last_trick: cards, last_winner: 1, cards: [1, 1] });
  const events = [{ event: 'played', seat: 0, card: 'H2' }, { event: 'took', seat: 1, cards }] as unknown as AnyEvent[];
  const frames = client.frames(before, { events, view: after });
  expect(frames.map(({ view }) => (view as unknown as { trick: unknown[] }).trick.length)).toEqual([2, 2, 0]);
  expect(frames.map(({ marks }) => marks.taker)).toEqual([undefined, 1, undefined]);
  expect(frames.flatMap(({ events }) => events)).toEqual(events);
  expect(frames.at(-1)?.view).toBe(after);
});

test('the end of a round waits, with the change of every score', () => {
  const client = clientOf(described);
  const start = view({ round: 2, scores: [3, 0] }); // the page was opened in the second round
  client.frames(null, { events: [{ event: 'dealt', seat: 0, round: 2 } as AnyEvent], view: start });
  const end = view({ phase: 'dealing', round: 2, scores: [3, 7], awaited: [], turn: null });
  const events = [{ event: 'played', seat: 1, card: 'H2' }, { event: 'round_over', seat: 1 }] as unknown as AnyEvent[];
  const frames = client.frames(start, { events, view: end });
  const panel = frames.find(({ marks }) => marks.roundEnd);
  expect(panel?.hold).toBe(ROUND_END);
  const log = [{ event: 'dealt', round: 2 }, ...events].map((event, key) => ({ key, n: key, event: event as AnyEvent }));
  const summary = roundSummary({ game: client, view: panel?.view ?? null, log, seats: 2, who, sentence: () => 'told' });
  expect(summary?.rows).toEqual([{ seat: 0, before: 3, after: 3 }, { seat: 1, before: 0, after: 7 }]);
});

test('the scores of all rounds are there after the game, and a rematch begins anew', () => {
  const client = clientOf(described);
  const deal = (round: number, scores: number[]) => client.frames(null, { events: [], view: view({ round, scores }) });
  deal(1, [0, 0]);
  deal(2, [5, 1]);
  const over = view({ round: 2, scores: [6, 9], phase: 'over', winners: [1] });
  expect(client.rounds([], 2, over).map(({ scores }) => scores)).toEqual([[5, 1], [6, 9]]);
  deal(1, [0, 0]);
  expect(client.rounds([], 2, view({})).map(({ scores }) => scores)).toEqual([[0, 0]]);
});

test('an own card leaves the hand before the server has answered', () => {
  const client = clientOf(described);
  expect(client.preview(view({ hand: ['H2', 'H3'] }), 'discard H2')).toMatchObject({ hand: ['H3'], awaited: [] });
  expect(client.preview(view({ hand: ['H2'] }), 'draw')).toBeNull();
});
