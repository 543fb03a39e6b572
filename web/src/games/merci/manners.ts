// Good manners: which word goes with which card, and what was wrong with a deed. From what everybody can
// see; the table itself tells nobody (ME-28d).
import { colourOf, valueOf } from '$lib/cards';

export type Word = 'play' | 'siouplait' | 'skuz';

/** Why somebody was denounced; `false`: without a reason. */
export type Reason =
  | 'skuz_forgotten'
  | 'siouplait_for_skuz'
  | 'skuz_wrong'
  | 'siouplait_forgotten'
  | 'siouplait_wrong'
  | 'out_of_turn'
  | 'no_thanks'
  | 'wrong_thanks'
  | 'false';

/** "Y3" of "Y3/gift". */
export const frontOf = (card: string): string => card.split('/')[0] ?? card;

/** The lowest of three values in a row, in any order; 0: they are none. */
function run(values: readonly number[]): number {
  const [low = 0, mid = 0, high = 0] = [...values].sort((a, b) => a - b);
  return mid === low + 1 && high === mid + 1 ? low : 0;
}

const same = (parts: readonly (string | number)[]) => parts.every((each) => each === parts[0]);

/** ME-7, ME-9: whether a card on a stack (from 0) makes a combination that was not there. */
export function combines(tops: readonly string[], stack: number, card: string): boolean {
  const after = tops.map((top, i) => (i === stack ? frontOf(card) : top));
  const height = run(after.map(valueOf));
  if (height > 0 && height !== run(tops.map(valueOf))) return true;
  if (same(after.map(colourOf)) && !same(tops.map(colourOf))) return true;
  return same(after.map(valueOf)) && !same(tops.map(valueOf));
}

/** What is to be said on one's own turn: ME-8, ME-16. */
export function rightWord(tops: readonly string[], stack: number, card: string): Word {
  if (tops[stack] === frontOf(card)) return 'skuz';
  return combines(tops, stack, card) ? 'siouplait' : 'play';
}

/** ME-11 to ME-14. */
export const rightThanks = (effect: string | null): string => (effect === 'two' ? 'merci-beaucoup' : 'merci');

interface Deed {
  rules: string;
  /** As they were before the card. */
  tops: readonly string[];
  onTurn: boolean;
  word: string;
  card: string;
  /** From 0. */
  stack: number;
}

/** ME-19, ME-28, ME-30: what was wrong with a card; null: nothing. */
export function wrongWith({ rules, tops, onTurn, word, card, stack }: Deed): Reason | null {
  const right = rightWord(tops, stack, card);
  if (right === 'skuz') {
    if (word === 'skuz') return null;
    return rules === 'full' && word === 'siouplait' ? 'siouplait_for_skuz' : 'skuz_forgotten';
  }
  if (rules !== 'full') return null;
  if (!onTurn) {
    const intercepts = word === 'siouplait' && right === 'siouplait' && [1, 6].includes(valueOf(card));
    return intercepts ? null : 'out_of_turn';
  }
  if (word === right) return null;
  if (word === 'skuz') return 'skuz_wrong';
  return right === 'siouplait' ? 'siouplait_forgotten' : 'siouplait_wrong';
}

/** ME-15, ME-15a. */
export function wrongThanks(effect: string | null, word: string): Reason | null {
  if (word === rightThanks(effect)) return null;
  return word === 'take' ? 'no_thanks' : 'wrong_thanks';
}
