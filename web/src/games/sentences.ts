// Events in words, for the log and screen readers, from the texts that the terminal has too
// (`events` in src/pli/**/texts): the same rules as in pli.cli.table, `tell`.
import { colourName, isSuit, theCard } from '$art/cards';
import { formatList, language } from '$device/i18n.svelte';
import type { Language } from '$device/languages';
import type { AnyEvent, Who } from './game';

type Values = Readonly<Record<string, unknown>>;

/** The texts of a game, by keys such as `events.played.you`. */
export interface Texts {
  has(key: string): boolean;
  /** The text with its places filled in; empty: there is none. */
  say(key: string, values: Values): string;
  /** The language of a text: a game may lack that of the page. What is filled in is said in the same. */
  languageOf(key: string): Language;
}

/** The messages of a game that is compiled into the page. */
export function textsOf(game: string, messages: object): Texts {
  const all = messages as Readonly<Record<string, (values: Values) => string>>;
  const nameOf = (key: string) => `${game}_${key.replace(/^events\./, '').replace(/[.-]/g, '_')}`;
  return {
    has: (key) => nameOf(key) in all,
    say: (key, values) => all[nameOf(key)]?.(values) ?? '',
    languageOf: language,
  };
}

/** A text with its places filled in. */
export function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)(?::[^}]*)?\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** The key of a text; where it has forms `.one` and `.other`, the number `n` decides. */
function formOf(texts: Texts, key: string, n: unknown): string {
  if (texts.has(key) || typeof n !== 'number') return key;
  const rules = new Intl.PluralRules(texts.languageOf(`${key}.other`));
  return `${key}.${rules.select(n) === 'one' ? 'one' : 'other'}`;
}

export const sayNumber = (texts: Texts, key: string, n: number): string => texts.say(formOf(texts, key, n), { n });

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
  if (name === 'change' && typeof value === 'number') return value > 0 ? `+${value}` : `−${-value}`;
  if (typeof value !== 'string') return value;
  if (cards) return theCard(value, locale);
  if (name === 'colour' && isSuit(value)) return colourName(value, locale);
  const key = `${TRANSLATED[name]}.${value}`;
  return texts.has(key) ? texts.say(key, {}) : TRANSLATED[name] && name !== 'colour' ? '' : value;
}

/** An event as a sentence; empty: the game has no words for it. */
export function tell(event: AnyEvent, who: (seat: number) => Who, texts: Texts): string {
  const values = { ...event } as Record<string, unknown>;
  const { seat } = values;
  const whose = typeof seat === 'number' ? (who(seat).you ? '.you' : '.other') : '';
  const key = formOf(texts, `events.${event.event}${whose}`, values.n);
  if (!texts.has(key)) return '';
  const locale = texts.languageOf(key);
  return texts.say(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, worded(name, value, who, texts, locale)])));
}
