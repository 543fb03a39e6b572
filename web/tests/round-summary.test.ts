// How a round ended: what decided it, scores before and after, what comes next.
import { expect, test } from 'vitest';
import type { AnyEvent, AnyView, GameClient, LogLine } from '$games/game';
import { roundSummary, splitAtDeal } from '$games/round-summary';
import { scoresByRound } from '$games/round-scores';

interface Paid extends AnyEvent {
  seat: number;
  points: number;
}
const dealt = (round: number) => ({ event: 'dealt', round });
const paid = (seat: number, points: number): Paid => ({ event: 'paid', seat, points });
const log = (...events: AnyEvent[]): LogLine[] => events.map((event, key) => ({ key, n: key, event }));

const game = {
  score: (view: { scores: number[] }, seat: number) => view.scores[seat] ?? 0,
  rounds: (events: AnyEvent[], seats: number) => scoresByRound(events, seats, (event) => (event.event === 'paid' ? (event as Paid) : null)),
  roundEnd: (events: AnyEvent[], sentence: (event: AnyEvent) => string) => ({ why: events.map(sentence).join(' '), next: '' }),
} as unknown as GameClient;

const source = (scores: number[], ...events: AnyEvent[]) => ({
  game, view: { scores } as unknown as AnyView, log: log(...events), seats: 2,
  who: (seat: number) => ({ you: false, name: `P${seat}` }),
  sentence: (event: AnyEvent) => event.event,
});

test('every score goes from what it was at the deal to what it is', () => {
  const made = roundSummary(source([5, 4], dealt(1), paid(0, 2), dealt(2), paid(0, 3), paid(1, 4)));
  expect(made?.rows).toEqual([{ seat: 0, before: 2, after: 5 }, { seat: 1, before: 0, after: 4 }]);
});

test('only the events of this round are told', () => {
  expect(roundSummary(source([2, 0], dealt(1), paid(0, 2), dealt(2)))?.why).toBe('');
  expect(roundSummary(source([2, 0], dealt(1), paid(0, 2)))?.why).toBe('paid');
});

test('scores that do not begin at 0 keep their start', () => {
  expect(roundSummary(source([13, 10], dealt(1), paid(0, 3)))?.rows[0]).toEqual({ seat: 0, before: 10, after: 13 });
});

test('without a log there is nothing to show', () => {
  expect(roundSummary(source([0, 0]))).toBeNull();
});

test('a deal belongs to the next round', () => {
  const over = { event: 'round_over' };
  expect(splitAtDeal([over, dealt(2)])).toEqual([[over], [dealt(2)]]);
  expect(splitAtDeal([over])).toEqual([[over], []]);
});
