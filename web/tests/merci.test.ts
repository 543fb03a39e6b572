import { expect, test } from 'vitest';
import type { MerciEvent, MerciView } from '../generated/wire';
import { frames, NOTHING, preview, type Memory } from '$games/merci/frames';
import { act, layable, lit, selection, lay, reach, refused } from '$games/merci/selection.svelte';
import { StackChanges } from '$games/merci/stack-changes';
import { bare, combines, fits, rightThanks, rightWord } from '$games/merci/politeness';
import { ReactionTimer } from '$games/merci/reaction-timer';
import { rounds } from '$games/merci/rounds';
import { chosen, options, outcome, prompt, sentence, spoken } from '$games/merci/sentences';

const base: MerciView = {
  seat: 0, seats: 3, phase: 'turn', turn: 1, awaited: [1], winners: [], rules: 'full', malpoli: true, interception: true, last_card_wait: true,
  fault_ends: 'next_card', hearts_to_win: 6, fault_window_ms: 6000,
  false_denounce: 'draw', round: 1, hearts: [0, 0, 0], reserve: 25, tops: ['B3', 'G4', 'P6'], laid: 0, pile: 29, pile_back: 'two',
  cards: [3, 6, 6], backs: [['one'], [], []], hand: ['B3/one', 'Y2/gift', 'Y2/two'], speaker: null, owes: null, gift_back: null, ending: false,
};
const who = (seat: number) => ({ you: seat === 0, name: `S${seat}` });
const laid = (seat: number, word: string, card: string, stack: number): MerciEvent => ({ event: 'laid', seat, word, card, stack });

test('a combination is a run, a colour or a value that was not there before', () => {
  expect(combines(['B3', 'G4', 'P6'], 2, 'P5')).toBe(true);
  expect(combines(['B3', 'G4', 'P5'], 2, 'O5')).toBe(false); // the same run
  expect(combines(['B3', 'G4', 'P5'], 2, 'P2')).toBe(true); // another height
  expect(combines(['B3', 'B4', 'P3'], 2, 'B3/gift')).toBe(true);
  expect(combines(['B3', 'G3', 'P4'], 2, 'P3')).toBe(true);
  expect(combines(['B6', 'G5', 'P6'], 2, 'P1')).toBe(false);
});

test('a card goes on one of its colour or value, and while an effect is settled on an equal one', () => {
  expect(['B5', 'O3', 'P6', 'G2'].map((top) => fits(top, 'B3/one', 'turn'))).toEqual([true, true, false, false]);
  expect(['B5', 'B3'].map((top) => fits(top, 'B3/one', 'gift'))).toEqual([false, true]);
  expect(prompt(base)).toBe('Your turn: lay a card or draw');
  expect(prompt({ ...base, hand: ['Y2/gift'] })).toBe('Your turn: no card fits, so draw');
});

test('the word that goes with a card', () => {
  expect(rightWord(base.tops, 0, 'B3/one')).toBe('skuz');
  expect(rightWord(base.tops, 2, 'P5')).toBe('siouplait');
  expect(rightWord(base.tops, 2, 'P1')).toBe('play');
  expect([rightThanks('two'), rightThanks('gift'), rightThanks(null)]).toEqual(['merci-beaucoup', 'merci', 'merci']);
});

test('nothing that is shown tells of a fault before somebody has', () => {
  const event = laid(1, 'play', 'P5', 3);
  const [frame] = frames(base, { events: [event], view: { ...base, tops: ['B3', 'G4', 'P5'] } });
  expect(frame?.events).toEqual([event]);
  expect(frame?.marks.news).toBeUndefined();
});

test('the reason of a denunciation is told with it, in the news and in the log', () => {
  const denounced = { event: 'denounced', seat: 2, offender: 1, reason: 'siouplait_forgotten' } as const;
  const events: MerciEvent[] = [denounced, { event: 'took_back', seat: 1, card: 'P5', back: 'one', stack: 3, covered: false }];
  const [frame] = frames(base, { events, view: base });
  const reason = 'S1 made a combination without saying SIOUPLAIT.';
  expect(frame?.events).toEqual(events);
  expect(frame?.marks.news).toEqual([{ event: 'fault', denounced }]);
  expect(sentence({ event: 'fault', denounced }, who)).toBe(reason);
  expect(sentence(denounced, who)).toBe(`“Malpoli!” S2 denounces an impoliteness. ${reason}`);
});

test('who denounces what was polite is the one of whom it is told', () => {
  const denounced = { event: 'denounced', seat: 2, offender: null, reason: null } as const;
  expect(sentence({ event: 'fault', denounced }, who)).toContain('S2');
});

test('an effect is remembered until it is settled, whatever lies on the pile by then', () => {
  const going = { ...base, phase: 'choose' };
  const shown = frames(base, { events: [{ event: 'effect', seat: 1, back: 'two' }], view: going })[0]?.marks.memory as Memory;
  expect(shown.effect).toBe('two');
  const still = frames(going, { events: [laid(0, 'skuz', 'B3', 1)], view: going }, shown)[0]?.marks.memory as Memory;
  expect(still.effect).toBe('two');
  const over = frames(going, { events: [{ event: 'thanked', seat: 2, word: 'merci' }], view: base }, still)[0]?.marks.memory as Memory;
  expect(over.effect).toBeNull();
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
  const changes = new StackChanges();
  const first = [...changes.see(['B3', 'G4', 'P6'], 0, null).keys];
  const skuz = [...changes.see(['B3', 'G4', 'P6'], 1, 1).keys];
  expect(skuz.map((key, i) => key - (first[i] ?? 0))).toEqual([1, 0, 0]);
  const claimed = [...changes.see(['B3', 'G4', 'P2'], 2, 3).keys];
  expect(changes.see(['B3', 'G4', 'P2'], 2, null).keys).toEqual(claimed);
  expect(changes.under).toEqual(['B3', 'P6', 'P6'].map((card, i) => (i === 1 ? changes.under[1] : card)));
});

test('a card that is taken back leaves its stack, and what lay under it is on top', () => {
  const changes = new StackChanges();
  changes.see(['B3', 'G4', 'P6'], 4, null);
  const skuz = [...changes.see(['B3', 'G4', 'P6'], 5, 1).keys];
  const forgotten = { stack: 1, covered: false };
  const back = [...changes.see(['B3', 'G4', 'P6'], 4, null, forgotten).keys];
  expect(back.map((key, i) => key - (skuz[i] ?? 0))).toEqual([1, 0, 0]); // though it looks the same
  expect(changes.under[0]).toBeNull();
  expect(changes.see(['B3', 'G4', 'P6'], 4, null, forgotten).keys).toEqual(back); // the same picture again
  changes.see(['B3', 'G4', 'P2'], 5, 3);
  const covered = [...changes.see(['B3', 'G4', 'P5'], 6, 3).keys];
  expect(changes.under[2]).toBe('P2');
  expect(changes.see(['B3', 'G4', 'P5'], 5, null, { stack: 3, covered: true }).keys).toEqual(covered); // from under it
  expect(changes.under[2]).toBeNull();
});

/** The own turn at a table with these tops and cards. */
const turnAt = (view: Partial<MerciView>, more: object = {}) =>
  ({ seat: 0, myTurn: true, best: null, marks: {}, view: { ...base, turn: 0, awaited: [0], malpoli: false, ...view }, info: { options: {} }, ...more }) as never;

test('by the rules to start with, what can be laid is marked, and the pile glows if nothing can', () => {
  selection.drop();
  const hand = ['B5/one', 'Y2/gift'];
  expect([...(layable(turnAt({ hand })) ?? [])]).toEqual(['B5/one']);
  expect(lit(turnAt({ hand })).pile).toBe(false);
  expect(lit(turnAt({ hand: ['Y2/gift'] })).pile).toBe(true);
  expect(layable(turnAt({ hand, malpoli: true }))).toBeNull();
  expect(lit(turnAt({ hand: ['Y2/gift'], malpoli: true })).pile).toBe(false);
  expect(layable(turnAt({ hand }, { info: { options: { helper: 'off' } } }))).toBeNull();
});

test('the three tops of a combination are lit once its card is picked, and its word', () => {
  selection.pick('P5/one', base.tops);
  expect(lit(turnAt({}))).toEqual({ pile: false, words: ['siouplait'], stacks: [1, 2, 3], aims: [3] });
  selection.pick('B3/one', base.tops);
  expect(lit(turnAt({}))).toEqual({ pile: false, words: ['skuz'], stacks: [1], aims: [1] });
  expect(lit(turnAt({ malpoli: true })).words).toEqual([]);
  selection.drop();
});

test('a hint lights all that belongs to its action', () => {
  const by = (action: string) => lit(turnAt({}, { best: [action, 0.5] }));
  expect(by('siouplait P5/one on 3')).toEqual({ pile: false, words: ['siouplait'], stacks: [1, 2, 3], aims: [3] });
  expect(by('play P1 on 3')).toEqual({ pile: false, words: [], stacks: [3], aims: [3] });
  expect(by('merci').words).toEqual(['merci']);
  expect(by('draw').pile).toBe(true);
});

test('thanks that are owed glow on the words, and a touch on the pile asks before it takes', () => {
  for (const malpoli of [false, true]) {
    selection.drop();
    const sent: string[] = [];
    const told: string[] = [];
    const more = { marks: { memory: { effect: 'two', drawn: [] } }, busy: false, act: (action: string) => sent.push(action), notify: (text: string) => told.push(text) };
    const stage = turnAt({ phase: 'thanks', owes: 0, speaker: 1, malpoli }, more);
    expect(lit(stage)).toMatchObject({ pile: false, words: malpoli ? ['merci', 'merci-beaucoup'] : ['merci-beaucoup'] });
    reach(stage, -1000);
    expect(sent).toEqual([]);
    expect(told).toHaveLength(1);
    reach(stage, -1000);
    expect(sent).toEqual(['take']);
  }
});

test('a card just drawn is marked until the next own action', () => {
  const got: MerciEvent = { event: 'got', seat: 0, cards: ['Y2/two'], backs: ['two'] };
  const step = (events: MerciEvent[], memory?: Memory) => frames(base, { events, view: base }, memory)[0]?.marks.memory as Memory;
  const drawn = step([got]);
  expect(drawn.drawn).toEqual(['Y2/two']);
  expect(step([laid(1, 'play', 'B5', 1)], drawn).drawn).toEqual(['Y2/two']);
  expect(step([laid(0, 'play', 'B5', 1)], drawn).drawn).toEqual([]);
});

test('the helper is offered and reminds where a forgotten word can not be denounced', () => {
  const { helper } = options();
  const offered = (rules: string, malpoli: string) => helper?.when?.({ rules, malpoli });
  expect([offered('start', 'auto'), offered('start', 'on'), offered('full', 'auto'), offered('full', 'off')]).toEqual([true, false, false, true]);
  const told: string[] = [];
  const sent: string[] = [];
  const at = (view: Partial<MerciView>) =>
    ({ view: { ...base, ...view }, info: { options: {} }, busy: false, act: (action: string) => sent.push(action), notify: (text: string) => told.push(text) }) as never;
  for (const malpoli of [false, true]) {
    selection.pick('B3/one', base.tops);
    lay(at({ rules: 'full', malpoli }), 'B3/one', 1);
  }
  expect(told).toEqual(['The same card! Would you say SKUZ first?']);
  expect(sent).toEqual(['play B3/one on 1']);
});

test('every value of an option has its words', () => {
  const all = options();
  for (const variant of ['malpoli', 'interception', 'last_card_wait']) expect(Object.keys(all[variant]?.values ?? {})).toEqual(['auto', 'on', 'off']);
  expect(Object.keys(all['fault_ends']?.values ?? {})).toEqual(['next_card', 'time']);
  expect(Object.keys(all['false_denounce']?.values ?? {})).toEqual(['auto', 'free', 'draw']);
  for (const { label, about, values } of Object.values(all)) for (const text of [{ label, about }, ...Object.values(values)]) expect(text.label && text.about).toBeTruthy();
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
  expect(spoken({ event: 'denounced', seat: 2, offender: null, reason: null })).toEqual({ seat: 2, text: 'MALPOLI' });
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

test('a reaction runs from what can be answered to the own word, and not from own deeds', () => {
  const reflexes = new ReactionTimer();
  const see = (now: number, event: MerciEvent) => reflexes.saw([event], 0, now);
  see(0, { event: 'dealt', seat: 1, round: 1, hand: [] });
  see(1000, laid(1, 'play', 'B3', 1));
  reflexes.did('skuz B3/one on 1', 1400);
  expect(see(1450, laid(0, 'skuz', 'B3', 1))).toEqual([400]);
  reflexes.did('skuz B3/two on 1', 1600);
  expect(see(1650, laid(0, 'skuz', 'B3', 1))).toEqual([]); // on the own card
  see(2000, { event: 'named', seat: 0, gift_back: null });
  reflexes.did('merci', 2700);
  expect(see(2750, { event: 'thanked', seat: 0, word: 'merci' })).toEqual([700]);
  see(3000, laid(2, 'play', 'P5', 3));
  reflexes.did('denounce', 3900);
  expect(see(3950, { event: 'denounced', seat: 0, offender: 2, reason: 'siouplait_forgotten' })).toEqual([900]);
  expect(see(3950, { event: 'denounced', seat: 0, offender: null, reason: null })).toEqual([]);
  see(5000, laid(2, 'play', 'P5', 3));
  see(5500, laid(1, 'skuz', 'P5', 3)); // behind which the fault may stay open
  reflexes.did('denounce', 6100);
  expect(see(6150, { event: 'denounced', seat: 0, offender: 2, reason: 'siouplait_forgotten' })).toEqual([1100]);
});

test('what is refused since others were quicker is void; what was wrong from the start is told', () => {
  const told: string[] = [];
  const stage = { view: base, busy: false, act: () => undefined, notify: (text: string) => told.push(text) } as never;
  act(stage, 'skuz B3 on 1');
  expect(refused(stage, 'skuz B3 on 1', 'Not equal.')).toBe('Not equal.');
  const later = { ...(stage as object), view: { ...base, tops: ['B4', 'G4', 'P6'], laid: 1 } } as never;
  expect(refused(later, 'skuz B3 on 1', 'Not equal.')).toBeNull();
  expect(told).toEqual(['Too late: somebody was quicker.']);
  act(later, 'skuz B3 on 1', base.tops); // picked before the stack changed, let go after
  expect(refused(later, 'skuz B3 on 1', 'Not equal.')).toBeNull();
});

test('a SKUZ for a card that was covered meanwhile is not sent', () => {
  const sent: string[] = [];
  const told: string[] = [];
  const at = (tops: string[]) => ({ view: { ...base, tops }, busy: false, act: (action: string) => sent.push(action), notify: (text: string) => told.push(text) }) as never;
  selection.word = 'skuz';
  selection.pick('B3/one', base.tops);
  lay(at(['B4', 'G4', 'P6']), 'B3/one', 1);
  expect([sent, told, selection.word]).toEqual([[], ['Too late: somebody was quicker.'], null]);
  selection.word = 'skuz';
  selection.pick('B3/one', base.tops);
  lay(at(base.tops), 'B3/one', 1);
  expect(sent).toEqual(['skuz B3/one on 1']);
});

test('an action is listed without the backs of its cards', () => {
  expect(['skuz B3/one on 1', 'give Y2/gift to 2', 'merci-beaucoup'].map(bare)).toEqual(['skuz B3 on 1', 'give Y2 to 2', 'merci-beaucoup']);
});

test('where an action does no harm, none is held back to ask whether it was meant', () => {
  const sent: string[] = [];
  const told: string[] = [];
  const view = { ...base, malpoli: false, turn: 0, tops: ['B4', 'G4', 'P6'], hand: ['B3/one'] };
  const at = (harmless: boolean) => ({ view, harmless, busy: false, seat: 0, info: { options: {} }, act: (action: string) => sent.push(action), notify: (text: string) => told.push(text) }) as never;
  selection.drop();
  selection.word = 'siouplait'; // of no use there
  selection.pick('B3/one', view.tops);
  lay(at(false), 'B3/one', 1);
  expect([sent.length, told.length]).toEqual([0, 1]);
  selection.drop();
  selection.word = 'siouplait';
  selection.pick('B3/one', view.tops);
  lay(at(true), 'B3/one', 1);
  expect([sent, told.length]).toEqual([['siouplait B3/one on 1'], 1]);
});
