// Cards in the notation of the protocol ("B7", "HQ"), and their names in words. A card is a suit's letter and a rank;
// any other text is a card of its own, with that text on it.
import { m } from '$device/i18n.svelte';
import type { Language } from '$device/languages';

export const colours = ['B', 'G', 'Y', 'P', 'O'] as const;
export type Colour = (typeof colours)[number];

/** A suit of any game: a colour, or one that was added (`french.ts`). */
export type Suit = Colour | 'C' | 'D' | 'S' | 'H';

/** A name in a language; without one, in the page's. */
export type Name = (locale?: Language) => string;

interface SuitLook {
  /** The id of its symbol: colour alone is never the only cue. */
  symbol: string;
  name: Name;
}

const suits: Partial<Record<Suit, SuitLook>> = {
  B: { symbol: 'wave', name: (locale) => m.colour_B({}, { locale }) },
  G: { symbol: 'leaf', name: (locale) => m.colour_G({}, { locale }) },
  Y: { symbol: 'sun', name: (locale) => m.colour_Y({}, { locale }) },
  P: { symbol: 'blossom', name: (locale) => m.colour_P({}, { locale }) },
  O: { symbol: 'flame', name: (locale) => m.colour_O({}, { locale }) },
};

/** How cards are named that are no colour and number. */
type Naming = (parts: { suit: Suit; rank: string }, article: boolean, locale?: Language) => string;
let naming: Naming | null = null;

/** Adds the suits of games that not every page needs. */
export function addSuits(more: Partial<Record<Suit, SuitLook>>, names: Naming): void {
  Object.assign(suits, more);
  naming = names;
}

export const symbolOf = (suit: Suit): string => suits[suit]?.symbol ?? '';

const RANKS = ['T', 'J', 'Q', 'K', 'A'];

const isColour = (text: string): text is Colour => (colours as readonly string[]).includes(text);
export const isSuit = (text: string): text is Suit => text in suits;

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

export const colourName = (suit: string, locale?: Language): string => (isSuit(suit) ? suits[suit]?.name(locale) : undefined) ?? suit;

function nameOf(card: string, article: boolean, locale?: Language): string {
  const parts = partsOf(card);
  if (!parts) return card;
  const { suit, rank } = parts;
  if (!isColour(suit)) return naming?.(parts, article, locale) ?? card;
  const values = { number: rank, colour: colourName(suit, locale) };
  return article ? m.card_the(values, { locale }) : m.card_name(values, { locale });
}

/** "blue 7" or "queen of hearts", as a screen reader names it. */
export const cardName = (card: string): string => nameOf(card, false);

/** "the blue 7" or "the queen of hearts", for sentences. */
export const theCard = (card: string, locale?: Language): string => nameOf(card, true, locale);

/** An action in words, if it names a card or a suit; otherwise its notation. */
export function chosen(action: string): string {
  const what = action.slice(action.indexOf(' ') + 1);
  if (isSuit(what)) return m.chosen_colour({ colour: colourName(what) });
  if (what === 'none') return m.chosen_none();
  return theCard(what);
}

/** The French suits are red and black by turns. */
const ORDER: readonly (Suit | null)[] = [...colours, 'C', 'D', 'S', 'H', null];

/** Sorted by suit, then by value; trump on the right, near the thumb. */
export function sorted(cards: readonly string[], trump: string | null = null): string[] {
  const rank = (card: string) => {
    const suit = suitOf(card);
    return (suit !== null && suit === trump ? ORDER.length : ORDER.indexOf(suit)) * 100 + (valueOf(card) || 0);
  };
  return [...cards].sort((a, b) => rank(a) - rank(b));
}
