// House rules in words: the options by which a table departs from the printed rules.
import type { TableInfo } from '$generated/wire';
import type { GameClient, OptionText } from '$games/game';

export interface Departure {
  name: string;
  label: string;
  /** The value in words. */
  value: string;
  about: string;
  proposal: boolean;
}

/** A value of an option, as its game says it. */
export const valueText = (text: OptionText | undefined, value: unknown): string =>
  text?.values[String(value)]?.label ?? (typeof value === 'number' ? text?.shown?.(value) : undefined) ?? String(value);

export function departures(info: TableInfo | null, game: GameClient | null): Departure[] {
  const texts = game?.options() ?? {};
  return (info?.departures ?? []).map((name) => {
    const text = texts[name];
    const value = info?.options[name];
    return {
      name,
      label: text?.label ?? name,
      value: valueText(text, value),
      about: text?.values[String(value)]?.about || text?.about || '',
      proposal: text?.proposal ?? false,
    };
  });
}
