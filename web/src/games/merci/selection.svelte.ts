// The player's input: the word said for the next card, and the card picked for a stack or a seat. All actions of
// the own seat go through here, whether by tap, drag or key.
import type { MerciView } from '$generated/wire';
import { m } from '$device/i18n.svelte';
import type { Stage } from '../game';
import { NOTHING, type Memory } from './frames';
import { frontOf, lays, rightThanks, rightWord, type Word } from './politeness';
import { ReactionTimer } from './reaction-timer';

export type Said = Exclude<Word, 'play'>;

class Selection {
  /** Set by a tap, until the next card is laid. */
  word = $state<Said | null>(null);
  /** Set while its button is held down. */
  pressed = $state<Said | null>(null);
  /** A card was laid while it was held down: releasing it does not toggle the word. */
  used = false;
  card = $state.raw<string | null>(null);
  /** The tops when the card was picked, to which the player reacts. */
  tops: readonly string[] = [];
  /** The stack over which a card is dragged. */
  over = $state<number | null>(null);
  /** The action that was held back once with a reminder: the second time it is sent. */
  reminded = '';
  /** A digest of the table when each action was sent. */
  readonly asked = new Map<string, string>();

  get said(): Word {
    return this.pressed ?? this.word ?? 'play';
  }

  pick(card: string | null, tops: readonly string[]): void {
    this.card = card;
    this.tops = tops;
    this.reminded = '';
  }

  drop(): void {
    this.used = this.pressed !== null;
    this.word = null;
    this.card = null;
    this.over = null;
    this.reminded = '';
  }
}

export const selection = new Selection();

export const viewOf = (stage: Stage): MerciView => stage.view as MerciView;
export const memoryOf = (stage: Stage): Memory => (stage.marks.memory as Memory | undefined) ?? NOTHING;

/** Milliseconds for which something must have been offered before a tap on the pile takes it: a shorter one was not a
 * reaction to the offer. */
const SEEN = 350;

/** No reminders where faults can be denounced: remembering the words is part of the game there. */
export const helps = (stage: Stage): boolean => !viewOf(stage).malpoli && stage.info?.options['helper'] !== 'off';

const all = new WeakMap<Stage, ReactionTimer>();

export const reactionTimerOf = (stage: Stage): ReactionTimer => {
  const found = all.get(stage) ?? new ReactionTimer();
  all.set(stage, found);
  return found;
};

/** What a player decides by, as a digest to compare. */
const decided = ({ round, phase, turn, owes, laid }: MerciView, tops: readonly string[]): string => [round, phase, turn, owes, laid, ...tops].join();

export function act(stage: Stage, action: string, tops = viewOf(stage).tops as readonly string[]): void {
  selection.asked.set(action, decided(viewOf(stage), tops));
  reactionTimerOf(stage).did(action, performance.now());
  stage.act(action);
}

/** An action that was refused because others were quicker is void, and no error. */
export function refused(stage: Stage, action: string, text: string): string | null {
  const asked = selection.asked.get(action);
  const now = viewOf(stage);
  if (asked === undefined || (!stage.busy && asked === decided(now, now.tops))) return text;
  stage.notify(m.merci_too_late());
  return null;
}

/** The helper: reminds once of a forgotten word, before the action is sent. */
function reminds(stage: Stage, action: string, text: string | null): boolean {
  return helps(stage) && asksFirst(stage, action, text);
}

/** Holds an action back the first time, and says why. */
function asksFirst(stage: Stage, action: string, text: string | null): boolean {
  if (text === null || stage.harmless || selection.reminded === action) return false;
  selection.reminded = action;
  stage.notify(text);
  return true;
}

function forgotten(stage: Stage, card: string, stack: number): string | null {
  const { tops, phase, turn, seat } = viewOf(stage);
  const right = rightWord(tops, stack - 1, card);
  if (right === selection.said) return null;
  if (right === 'skuz') return m.merci_remind_skuz();
  if (phase !== 'turn' || turn !== seat || selection.said === 'skuz') return null; // the server will refuse it
  return right === 'siouplait' ? m.merci_remind_siouplait() : m.merci_remind_nothing();
}

/** The equal card for which a SKUZ was meant was covered in the meantime. */
function covered(stage: Stage, card: string, stack: number): boolean {
  const [meant, now] = [selection.tops[stack - 1], viewOf(stage).tops[stack - 1]];
  return selection.said === 'skuz' && meant === frontOf(card) && now !== meant;
}

export function lay(stage: Stage, card: string, stack: number): void {
  if (stage.busy) return stage.skip();
  if (covered(stage, card, stack)) {
    selection.drop();
    return stage.notify(m.merci_too_late());
  }
  const action = `${selection.said} ${card} on ${stack}`;
  if (reminds(stage, action, forgotten(stage, card, stack))) return;
  act(stage, action, selection.tops);
  selection.drop();
}

export function layPicked(stage: Stage, stack: number): void {
  if (stage.busy) return stage.skip();
  if (stage.seat === null) return;
  if (selection.card) lay(stage, selection.card, stack);
  else stage.notify(m.merci_pick_first());
}

export const owing = (stage: Stage): boolean => stage.seat !== null && viewOf(stage).owes === stage.seat;

export function thank(stage: Stage, word: 'merci' | 'merci-beaucoup' | 'take'): void {
  if (!owing(stage)) return stage.notify(m.merci_nothing_offered());
  const right = rightThanks(memoryOf(stage).effect);
  // A touch on the pile could be meant as a thank-you: whatever the rules, taking without a word needs a second one.
  if (word === 'take' ? asksFirst(stage, word, helps(stage) ? m.merci_remind_thanks() : m.merci_take_asks()) : reminds(stage, word, word === right ? null : m.merci_remind_which())) return;
  act(stage, word);
  selection.reminded = '';
}

/** A tap on the pile: draws, or takes what is offered without thanks. */
export function reach(stage: Stage, offeredSince: number): void {
  if (stage.busy) return stage.skip();
  if (stage.seat === null) return;
  if (!owing(stage)) act(stage, 'draw');
  else if (performance.now() - offeredSince > SEEN) thank(stage, 'take');
}

/** What is lit: the words to be said, the stacks to lay on, the pile. */
export interface Lit {
  words: readonly string[];
  /** From 1. */
  stacks: readonly number[];
  /** Those of them on which the card goes. */
  aims: readonly number[];
  pile: boolean;
}

const nothingLit: Lit = { words: [], stacks: [], aims: [], pile: false };

/** Which cards of the hand can be laid on the own turn, where the helper may say so. */
export function layable(stage: Stage): ReadonlySet<string> | null {
  const view = viewOf(stage);
  if (!stage.myTurn || view.phase !== 'turn' || stage.seat === null || !helps(stage)) return null;
  return new Set(view.hand.filter((card) => lays(view.tops, card).length > 0));
}

/** What to light. A hint's best action goes first; thanks that are owed are lit by any rules, the right one alone by
 * the helper; all else only by the helper. */
export function lit(stage: Stage): Lit {
  const view = viewOf(stage);
  if (stage.best) return litBy(stage, stage.best[0]);
  if (owing(stage)) return { ...nothingLit, words: helps(stage) ? [rightThanks(memoryOf(stage).effect)] : ['merci', 'merci-beaucoup'] };
  const fitting = layable(stage);
  if (!fitting) return nothingLit;
  const card = selection.card;
  if (card === null) return { ...nothingLit, pile: fitting.size === 0 };
  const said = lays(view.tops, card).filter(({ word }) => word !== 'play');
  const combines = said.some(({ word }) => word === 'siouplait');
  const aims = said.map(({ stack }) => stack + 1);
  return { pile: false, words: said.map(({ word }) => word), stacks: combines ? [1, 2, 3] : aims, aims };
}

function litBy(stage: Stage, action: string): Lit {
  const { tops } = viewOf(stage);
  const [word = '', card = '', , where] = action.split(' ');
  if (word === 'draw' || word === 'take') return { ...nothingLit, pile: true };
  if (card === '') return { ...nothingLit, words: [word] };
  if (word === 'choose' || word === 'give') return nothingLit;
  const stack = Number(where);
  const combines = word === 'siouplait' && rightWord(tops, stack - 1, card) === 'siouplait';
  return { pile: false, words: word === 'play' ? [] : [word], stacks: combines ? [1, 2, 3] : [stack], aims: [stack] };
}

/** The action of choosing a seat now; null: none is to be chosen. */
export function naming(stage: Stage, seat: number): string | null {
  const view = viewOf(stage);
  if (stage.seat === null || view.speaker !== stage.seat || stage.sent !== null) return null;
  const action = `choose ${seat}`;
  if (view.phase === 'gift') return seat === stage.seat ? null : `give ${selection.card ?? ''} to ${seat}`;
  return stage.legal.includes(action) ? action : null;
}

export function name(stage: Stage, seat: number): void {
  const action = naming(stage, seat);
  if (action === null) return;
  if (viewOf(stage).phase === 'gift' && !selection.card) return stage.notify(m.merci_pick_gift());
  act(stage, action);
  selection.drop();
}

/** The stack at a point of the page, or near it. */
export function stackAt(x: number, y: number): number | null {
  for (const each of document.querySelectorAll<HTMLElement>('[data-stack]')) {
    const box = each.getBoundingClientRect();
    const near = box.width * 0.18;
    if (x > box.left - near && x < box.right + near && y > box.top - near && y < box.bottom + near) return Number(each.dataset['stack']);
  }
  return null;
}

/** The seat at a point of the page, to give a card to. */
export function seatAt(x: number, y: number): number | null {
  const found = document.elementsFromPoint(x, y).find((each) => each.closest('.seat'))?.closest('.seat')?.querySelector<HTMLElement>('[data-anchor^=seat-]');
  return found ? Number(found.dataset['anchor']?.slice(5)) : null;
}
