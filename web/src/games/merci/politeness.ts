// Which word goes with which card (the rules of politeness), from what all can see: for reminders and prompts.
import { colourOf, valueOf } from '$art/cards';

export type Word = 'play' | 'siouplait' | 'skuz';

/** "Y3" of "Y3/gift". */
export const frontOf = (card: string): string => card.split('/')[0] ?? card;

/** An action without the backs of its cards. */
export const bare = (action: string): string => action.replace(/\/\w+/g, '');

/** The lowest of three consecutive values, in any order; 0: they are not consecutive. */
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

/** ME-4: a card goes on one of its colour or value; while an effect is settled only on an equal one (ME-16b). */
export function fits(top: string, card: string, phase: string): boolean {
  if (phase !== 'turn') return top === frontOf(card);
  return colourOf(top) === colourOf(card) || valueOf(top) === valueOf(card);
}

/** The word to say on the own turn: ME-8, ME-16. */
export function rightWord(tops: readonly string[], stack: number, card: string): Word {
  if (tops[stack] === frontOf(card)) return 'skuz';
  return combines(tops, stack, card) ? 'siouplait' : 'play';
}

/** The stacks (from 0) on which a card can be laid on the own turn, each with its word. */
export const lays = (tops: readonly string[], card: string): { stack: number; word: Word }[] =>
  tops.flatMap((top, stack) => (fits(top, card, 'turn') ? [{ stack, word: rightWord(tops, stack, card) }] : []));

/** ME-11 to ME-14. */
export const rightThanks = (effect: string | null): string => (effect === 'two' ? 'merci-beaucoup' : 'merci');
