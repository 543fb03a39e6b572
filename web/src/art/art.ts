// The art of cards and cloth that a theme may replace. All of it is SVG content, coloured by the page's classes
// (s-main, s-deep, s-light, s-line, s-shine, s-tint) or plain attributes: the Content-Security-Policy allows no
// inline styles.
import { getContext, setContext } from 'svelte';
import { symbolOf, type Colour, type Suit } from './cards';

export interface Art {
  /** The symbols of colours, 48 × 48. */
  signs?: Partial<Record<Colour, string>>;
  /** Behind the symbol of a face, 100 × 144. */
  face?: string;
  /** Above that, on faces of some values, 100 × 144. */
  values?: Record<number, string>;
  /** On the back, over its colour, 100 × 144. */
  back?: string;
  /** Around the symbols in the middle of the cloth, 300 × 300: lines only. */
  emblem?: string;
}

interface ArtContext {
  readonly art: Art;
  /** The reference to a colour's symbol, for `<use>`. */
  sign: (suit: Suit) => string;
  /** The prefix of the ids of the art's own symbols. */
  id: string;
}

const KEY = Symbol('art');
const plain: ArtContext = { art: {}, sign: (suit) => `#${symbolOf(suit)}`, id: '' };

/** Sets the art of all cards in this component and below, which must render `Signs` once. */
export function provideArt(id: string, art: () => Art | null): void {
  const own = (suit: Suit) => (art()?.signs as Partial<Record<Suit, string>> | undefined)?.[suit] !== undefined;
  setContext<ArtContext>(KEY, {
    id,
    get art() {
      return art() ?? plain.art;
    },
    sign: (suit) => (own(suit) ? `#${id}-${suit}` : plain.sign(suit)),
  });
}

export const useArt = (): ArtContext => getContext<ArtContext | undefined>(KEY) ?? plain;
