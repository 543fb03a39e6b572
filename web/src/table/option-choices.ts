// The values of an option that are offered in one row.
import type { GameInfo } from '$generated/wire';
import type { OptionText } from '$games/game';
import { valueText } from './house-rules';

type Option = GameInfo['options'][number];
export type Value = string | number;

export const isNumber = (option: Option): boolean => typeof option.default === 'number';

/** Where an option is a number: a few around its default. */
function numbers(option: Option): number[] {
  const usual = Number(option.default);
  return [...new Set([Math.max(option.least ?? 1, Math.round(usual / 2)), usual, Math.min(option.most ?? usual * 2, Math.round(usual * 1.5))])];
}

/** Words, then numbers, and a current value that is neither. */
export function choices(option: Option, text: OptionText, value: Value, options: Readonly<Record<string, unknown>>): { value: Value; label: string }[] {
  const words: Value[] = Object.keys(text.values);
  const all = [...words, ...(text.numbers?.(options) ?? (isNumber(option) ? numbers(option) : []))];
  if (!all.includes(value)) all.push(value);
  return all.map((each) => ({ value: each, label: valueText(text, each) }));
}
