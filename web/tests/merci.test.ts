import { expect, test } from 'vitest';
import type { MerciEvent, MerciView } from '../generated/wire';
import { frames, NOTHING, preview, type Memory } from '../src/games/merci/frames';
import { Landing } from '../src/games/merci/landing';
import { combines, rightThanks, rightWord, wrongThanks, wrongWith } from '../src/games/merci/manners';
import { rounds } from '../src/games/merci/rounds';
import { chosen, outcome, sentence, spoken } from '../src/games/merci/sentences';

const base: MerciView = {
  seat: 0, seats: 3, phase: 'turn', turn: 1, awaited: [1], winners: [], rules: 'full', hearts_to_win: 6, fault_window_ms: 6000,
  false_denounce: 'draw', round: 1, hearts: [0, 0, 0], reserve: 25, tops: ['B3', 'G4', 'P6'], laid: 0, pile: 29, pile_back: 'two',
  cards: [3, 6, 6], backs: [['one'], [], []], hand: ['B3/one', 'Y2/gift', 'Y2/two'], speaker: null, owes: null, gift_back: null, ending: false,
};
const who = (seat: number) => ({ you: seat === 0, name: `S${seat}` });
const laid = (seat: number, word: string, card: string, stack: number): MerciEvent => ({ event: 'laid', seat, word, card, stack });
const memoryOf = (before: MerciView, ...events: MerciEvent[]) => frames(before, { events, view: before }).at(-1)?.marks.memory as Memory;

test('a combination is a run, a colour or a value that was not there before', () => {
  expect(combines(['B3', 'G4', 'P6'], 2, 'P5')).toBe(true);
  expect(combines(['B3', 'G4', 'P5'], 2, 'O5')).toBe(false); // the same run
  expect(combines(['B3', 'G4', 'P5'], 2, 'P2')).toBe(true); // another height
  expect(combines(['B3', 'B4', 'P3'], 2, 'B3/gift')).toBe(true);
  expect(combines(['B3', 'G3', 'P4'], 2, 'P3')).toBe(true);
  expect(combines(['B6', 'G5', 'P6'], 2, 'P1')).toBe(false);
});

test('the word that goes with a card', () => {
  expect(rightWord(base.tops, 0, 'B3/one')).toBe('skuz');
  expect(rightWord(base.tops, 2, 'P5')).toBe('siouplait');
  expect(rightWord(base.tops, 2, 'P1')).toBe('play');
  expect([rightThanks('two'), rightThanks('gift'), rightThanks(null)]).toEqual(['merci-beaucoup', 'merci', 'merci']);
});

test.each([
  ['full', true, 'play', 'P5', 2, 'siouplait_forgotten'],
  ['full', true, 'siouplait', 'P5', 2, null],
  ['full', true, 'siouplait', 'P1', 2, 'siouplait_wrong'],
  ['full', true, 'skuz', 'P1', 2, 'skuz_wrong'],
  ['full', true, 'play', 'B3', 0, 'skuz_forgotten'],
  ['full', true, 'siouplait', 'B3', 0, 'siouplait_for_skuz'],
  ['full', false, 'play', 'P2', 2, 'out_of_turn'],
  ['full', false, 'siouplait', 'P5', 2, 'out_of_turn'],
  ['full', false, 'skuz', 'B3', 0, null],
  ['start', true, 'play', 'P5', 2, null],
  ['start', true, 'play', 'B3', 0, 'skuz_forgotten'],
  ['start', true, 'siouplait', 'B3', 0, 'skuz_forgotten'],
] as const)('by %s rules, on turn: %s, %s %s on %i: %s', (rules, onTurn, word, card, stack, reason) => {
  expect(wrongWith({ rules, tops: base.tops, onTurn, word, card, stack })).toBe(reason);
});

test('a 1 or a 6 may come between with SIOUPLAIT', () => {
  const tops = ['B5', 'G4', 'P2'];
  expect(wrongWith({ rules: 'full', tops, onTurn: false, word: 'siouplait', card: 'P6', stack: 2 })).toBeNull();
});

test('thanks are wrong if they are missing or another word', () => {
  expect(wrongThanks('two', 'merci-beaucoup')).toBeNull();
  expect(wrongThanks('two', 'merci')).toBe('wrong_thanks');
  expect(wrongThanks('one', 'take')).toBe('no_thanks');
});

test('nothing that is shown tells of a fault before somebody has', () => {
  const event = laid(1, 'play', 'P5', 3);
  const [frame] = frames(base, { events: [event], view: { ...base, tops: ['B3', 'G4', 'P5'] } });
  expect(frame?.events).toEqual([event]);
  expect(frame?.marks.news).toBeUndefined();
});

test('the reason of a denunciation is told after it, from what was seen before it', () => {
  const memory = memoryOf(base, laid(1, 'play', 'P5', 3));
  const events: MerciEvent[] = [{ event: 'denounced', seat: 2 }, { event: 'took_back', seat: 1, card: 'P5' }];
  const [frame] = frames({ ...base, tops: ['B3', 'G4', 'P5'] }, { events, view: base }, memory);
  const fault = { event: 'fault', seat: 1, reason: 'siouplait_forgotten' };
  expect(frame?.events).toEqual([events[0], fault, events[1]]);
  expect(frame?.marks.news).toEqual([fault]);
  expect(sentence({ event: 'fault', seat: 1, reason: 'siouplait_forgotten' }, who)).toBe('S1 made a combination without saying SIOUPLAIT.');
});

test('who denounces what was polite is the one of whom it is told', () => {
  const memory = memoryOf(base, laid(1, 'siouplait', 'P5', 3));
  const [frame] = frames(base, { events: [{ event: 'denounced', seat: 2 }], view: base }, memory);
  expect(frame?.marks.news).toEqual([{ event: 'fault', seat: 2, reason: 'false' }]);
});

test('a page that came too late tells no reason', () => {
  const [frame] = frames(base, { events: [{ event: 'denounced', seat: 2 }], view: base });
  expect(frame?.events).toHaveLength(1);
});

test('thanks are judged by the effect that was shown, whatever lies on the pile by then', () => {
  const shown = memoryOf(base, { event: 'effect', seat: 1, back: 'two' });
  const memory = frames(base, { events: [{ event: 'thanked', seat: 2, word: 'merci' }], view: base }, { ...shown, effect: 'two' }).at(-1)?.marks.memory as Memory;
  expect(memory.deed).toEqual({ seat: 2, reason: 'wrong_thanks' });
});

test('in real time an update is one picture that holds nobody up', () => {
  const made = frames(base, { events: [laid(1, 'play', 'P2', 3)], view: base });
  expect(made.map((each) => each.hold)).toEqual([0]);
});

test('the end of a round lies still before the next deal, with its hearts counted out', () => {
  const events: MerciEvent[] = [
    laid(1, 'play', 'P2', 3),
    { event: 'hearts', seat: 1, change: 2 },
    { event: 'round_over', seat: 1 },
    { event: 'dealt', seat: 2, round: 2, hand: ['O1/one'] },
  ];
  const view = { ...base, round: 2, hearts: [0, 2, 0], reserve: 23, hand: ['O1/one'], tops: ['Y1', 'Y2', 'Y3'] };
  const made = frames(base, { events, view });
  expect(made.map((each) => each.events.length)).toEqual([3, 1]);
  expect(made[0]?.view.tops).toEqual(['B3', 'G4', 'P2']);
  expect(made[0]?.view.hearts).toEqual([0, 2, 0]);
  expect(made[0]?.view.hand).toEqual(base.hand);
  expect(made[0]?.hold).toBeGreaterThan(1500);
  expect(made[1]?.view).toBe(view);
  expect(made[1]?.marks.memory).toEqual(NOTHING);
});

test('the own card lies on its stack as soon as it is let go', () => {
  const mine = { ...base, turn: 0, awaited: [0] };
  const after = preview(mine, 'play Y2/two on 3');
  expect(after?.tops).toEqual(['B3', 'G4', 'Y2']);
  expect(after?.hand).toEqual(['B3/one', 'Y2/gift']);
  expect(after?.awaited).toEqual([]);
  expect(preview(mine, 'skuz B3/one on 1')?.awaited).toEqual([0]); // the turn stays
  expect(preview(mine, 'denounce')).toBeNull();
  expect(preview({ ...mine, seat: null }, 'play Y2 on 3')).toBeNull();
});

test('a SKUZ lands though it looks like what lies there, and a claimed card lands once', () => {
  const landing = new Landing();
  const first = [...landing.see(['B3', 'G4', 'P6'], 0, null).keys];
  const skuz = [...landing.see(['B3', 'G4', 'P6'], 1, 1).keys];
  expect(skuz.map((key, i) => key - (first[i] ?? 0))).toEqual([1, 0, 0]);
  const claimed = [...landing.see(['B3', 'G4', 'P2'], 2, 3).keys];
  expect(landing.see(['B3', 'G4', 'P2'], 2, null).keys).toEqual(claimed);
  expect(landing.under).toEqual(['B3', 'P6', 'P6'].map((card, i) => (i === 1 ? landing.under[1] : card)));
});

test('hearts by round add up, those put back too', () => {
  const events = [
    { event: 'dealt', seat: 0, round: 1, hand: [] }, { event: 'hearts', seat: 1, change: 2 },
    { event: 'dealt', seat: 0, round: 2, hand: [] }, { event: 'hearts', seat: 1, change: -1 }, { event: 'hearts', seat: 2, change: 2 },
  ] as MerciEvent[];
  expect(rounds(events, 3).map((each) => each.scores)).toEqual([[0, 2, 0], [0, 1, 2]]);
});

test('words are said aloud, and only words', () => {
  expect(spoken(laid(1, 'skuz', 'B3', 1) as never)).toEqual({ seat: 1, text: 'SKUZ' });
  expect(spoken(laid(1, 'play', 'B3', 1) as never)).toBeNull();
  expect(spoken({ event: 'thanked', seat: 2, word: 'merci-beaucoup' })).toEqual({ seat: 2, text: 'MERCI BEAUCOUP' });
  expect(spoken({ event: 'denounced', seat: 2 })).toEqual({ seat: 2, text: 'MALPOLI' });
});

test('sentences name cards, backs and hearts in words', () => {
  expect(sentence(laid(1, 'skuz', 'Y3', 2), who)).toBe('“SKUZ!” S1 lays the yellow 3 on stack 2.');
  expect(sentence({ event: 'hearts', seat: 0, change: -2 }, who)).toBe('Your hearts: −2.');
  expect(sentence({ event: 'got', seat: 0, backs: ['one'], cards: ['Y3/one'] }, who)).toBe('Into your hand: yellow 3');
  expect(chosen('siouplait Y3 on 2')).toBe('SIOUPLAIT the yellow 3 on stack 2');
});

test('why a game is won', () => {
  const over = { ...base, phase: 'over', winners: [1], hearts: [6, 6, 2], reserve: 11 };
  expect(outcome(over, who)).toContain('fewer cards');
  expect(outcome({ ...over, hearts: [5, 6, 2] }, who)).toContain('6 hearts');
  expect(outcome({ ...over, reserve: 0 }, who)).toContain('last heart');
  expect(outcome({ ...over, winners: [0, 1] }, who)).toContain('shared');
});
