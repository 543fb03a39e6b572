// Events in words, for the log and screen readers, from the texts that the terminal has too
// (`events` in src/pli/**/texts): the same rules as in pli.cli.table, `tell`.
import { colourName, isSuit, theCard } from '$art/cards';
import { formatList } from '$device/i18n.svelte';
import type { Language } from '$device/languages';
import type { AnyEvent, Who } from './game';

/** The texts of a game. */
export interface Texts {
  /** By a key such as `events.played.you`; undefined: there is none. */
  get(key: string): string | undefined;
  /** The language of a text: a game may lack that of the page. What is filled in is said in the same. */
  languageOf(key: string): Language;
}

/** The text with its places filled in; `{change:+d}` asks for a sign. */
export function filled(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name: string, form?: string) => {
    const value = values[name];
    return form?.startsWith('+') && typeof value === 'number' && value >= 0 ? `+${value}` : String(value ?? '');
  });
}

/** The key of a text; where it has forms `.one` and `.other`, the number `n` decides. */
function formOf(texts: Texts, key: string, n: unknown): string {
  if (texts.get(key) !== undefined || typeof n !== 'number') return key;
  const rules = new Intl.PluralRules(texts.languageOf(`${key}.other`));
  return `${key}.${rules.select(n) === 'one' ? 'one' : 'other'}`;
}

export const textFor = (texts: Texts, key: string, n: number): string | undefined => texts.get(formOf(texts, key, n));

/** Values that have words of their own, with the table of texts where these stand. */
const TRANSLATED: Record<string, string> = { colour: 'colours', word: 'words', back: 'backs', level: 'levels' };

function worded(name: string, value: unknown, who: (seat: number) => Who, texts: Texts, locale: Language): unknown {
  const cards = name === 'card' || name === 'cards';
  if (['seat', 'mate', 'victim'].includes(name) && typeof value === 'number') return who(value).name;
  if (Array.isArray(value)) {
    const words = value.map((each: unknown) => {
      if (name === 'seats' && typeof each === 'number') return who(each).name;
      const card: unknown = typeof each === 'object' && each !== null && 'card' in each ? each.card : each;
      return cards ? theCard(String(card), locale) : String(card);
    });
    return words.length > 0 ? formatList(words, locale) : '–';
  }
  if (typeof value !== 'string') return value;
  if (cards) return theCard(value, locale);
  const table = TRANSLATED[name];
  return (name === 'colour' && isSuit(value) ? colourName(value, locale) : table && texts.get(`${table}.${value}`)) ?? value;
}

/** An event as a sentence; empty: the game has no words for it. */
export function tell(event: AnyEvent, who: (seat: number) => Who, texts: Texts): string {
  const values = { ...event } as Record<string, unknown>;
  const { seat } = values;
  const whose = typeof seat === 'number' ? (who(seat).you ? '.you' : '.other') : '';
  const key = formOf(texts, `events.${event.event}${whose}`, values.n);
  const text = texts.get(key);
  if (text === undefined) return '';
  const locale = texts.languageOf(key);
  return filled(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, worded(name, value, who, texts, locale)])));
}
