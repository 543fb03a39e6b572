// Cards in the notation of the protocol ("B7", "HQ"), and their names in words. A card is a suit's letter and a rank;
// any other text is a card of its own, with that text on it.
import { m } from '$device/i18n.svelte';
import type { Language } from '$device/languages';

export const colours = ['B', 'G', 'Y', 'P', 'O'] as const;
export type Colour = (typeof colours)[number];

/** The French suits, in the order of a hand: red and black by turns. */
export const frenchSuits = ['C', 'D', 'S', 'H'] as const;
export type Suit = Colour | (typeof frenchSuits)[number];

/** Each suit has its own symbol: colour alone is never the only cue. */
export const symbols: Record<Suit, string> = {
  B: 'wave',
  G: 'leaf',
  Y: 'sun',
  P: 'blossom',
  O: 'flame',
  C: 'club',
  D: 'diamond',
  S: 'spade',
  H: 'heart',
};

/** A name in a language; without one, in the page's. */
type Name = (locale?: Language) => string;

const names: Record<Suit, Name> = {
  B: (locale) => m.colour_B({}, { locale }),
  G: (locale) => m.colour_G({}, { locale }),
  Y: (locale) => m.colour_Y({}, { locale }),
  P: (locale) => m.colour_P({}, { locale }),
  O: (locale) => m.colour_O({}, { locale }),
  C: (locale) => m.colour_C({}, { locale }),
  D: (locale) => m.colour_D({}, { locale }),
  S: (locale) => m.colour_S({}, { locale }),
  H: (locale) => m.colour_H({}, { locale }),
};

/** The ranks that are no numbers: their words, alone and with an article, and what is printed for them. */
const courts: Record<string, { name: Name; the: Name }> = {
  J: { name: (locale) => m.rank_J({}, { locale }), the: (locale) => m.rank_the_J({}, { locale }) },
  Q: { name: (locale) => m.rank_Q({}, { locale }), the: (locale) => m.rank_the_Q({}, { locale }) },
  K: { name: (locale) => m.rank_K({}, { locale }), the: (locale) => m.rank_the_K({}, { locale }) },
  A: { name: (locale) => m.rank_A({}, { locale }), the: (locale) => m.rank_the_A({}, { locale }) },
};
const RANKS = ['T', 'J', 'Q', 'K', 'A'];

const isColour = (text: string): text is Colour => (colours as readonly string[]).includes(text);
export const isSuit = (text: string): text is Suit => text in symbols;

/** The suit and the rank of a card, whose notation may include its back ("Y3/gift"); null: it has neither. */
export function partsOf(card: string): { suit: Suit; rank: string } | null {
  const [, suit = '', rank = ''] = /^([A-Z])(\d+|[TJQKA])(?:\/|$)/.exec(card) ?? [];
  return isSuit(suit) ? { suit, rank } : null;
}

/** The suit of a card; null: it has none. */
export const suitOf = (card: string): Suit | null => partsOf(card)?.suit ?? null;

export function colourOf(card: string): Colour {
  const first = card[0] ?? '';
  if (!isColour(first)) throw new Error(`no card: ${card}`);
  return first;
}

/** The value of a card by which hands are sorted. */
export function valueOf(card: string): number {
  const rank = partsOf(card)?.rank ?? card;
  return RANKS.includes(rank) ? 10 + RANKS.indexOf(rank) : Number.parseInt(rank, 10);
}

/** A rank as it is printed on a card. */
export const printed = (rank: string): string => (rank === 'T' ? '10' : rank);

export const colourName = (suit: string, locale?: Language): string => (isSuit(suit) ? names[suit](locale) : suit);

/** "blue 7" or "queen of hearts", as a screen reader names it. */
export function cardName(card: string): string {
  const parts = partsOf(card);
  if (!parts) return card;
  const { suit, rank } = parts;
  if (isColour(suit)) return m.card_name({ number: rank, colour: colourName(suit) });
  return m.card_of({ rank: courts[rank]?.name() ?? printed(rank), suit: colourName(suit) });
}

/** "the blue 7" or "the queen of hearts", for sentences. */
export function theCard(card: string, locale?: Language): string {
  const parts = partsOf(card);
  if (!parts) return card;
  const { suit, rank } = parts;
  const name = colourName(suit, locale);
  if (isColour(suit)) return m.card_the({ number: rank, colour: name }, { locale });
  return m.card_of({ rank: courts[rank]?.the(locale) ?? m.rank_the({ rank: printed(rank) }, { locale }), suit: name }, { locale });
}

/** An action in words, if it names a card or a suit; otherwise its notation. */
export function chosen(action: string): string {
  const what = action.slice(action.indexOf(' ') + 1);
  if (isSuit(what)) return m.chosen_colour({ colour: colourName(what) });
  if (what === 'none') return m.chosen_none();
  return theCard(what);
}

const ORDER: readonly (Suit | null)[] = [...colours, ...frenchSuits, null];

/** Sorted by suit, then by value; trump on the right, near the thumb. */
export function sorted(cards: readonly string[], trump: string | null = null): string[] {
  const rank = (card: string) => {
    const suit = suitOf(card);
    return (suit !== null && suit === trump ? ORDER.length : ORDER.indexOf(suit)) * 100 + (valueOf(card) || 0);
  };
  return [...cards].sort((a, b) => rank(a) - rank(b));
}
