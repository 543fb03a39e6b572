// What cards and cloth look like where a theme draws them its own way. All of it is SVG without a frame,
// in the page's classes for colours (s-main, s-deep, s-light, s-line, s-shine, s-tint) or in plain
// attributes: the server's policy allows no styles in it.
import { getContext, setContext } from 'svelte';
import { symbols, type Colour } from './cards';

export interface Art {
  /** The symbols of colours, 48 × 48. */
  signs?: Partial<Record<Colour, string>>;
  /** What lies behind the symbol of a face, 100 × 144. */
  face?: string;
  /** What faces of some values have above that, 100 × 144. */
  values?: Record<number, string>;
  /** What is printed on a back, over its colour, 100 × 144. */
  back?: string;
  /** What is stitched around the symbols in the middle of the cloth, 300 × 300: lines alone. */
  emblem?: string;
}

interface Worn {
  readonly art: Art;
  /** Where a colour's symbol is drawn. */
  sign: (colour: Colour) => string;
  /** Before the colour, in the names of the symbols that the art draws. */
  id: string;
}

const KEY = Symbol('art');
const plain: Worn = { art: {}, sign: (colour) => `#${symbols[colour]}`, id: '' };

/** All cards in this component and below are drawn so; it also shows `Signs`. */
export function wear(id: string, art: () => Art | null): void {
  setContext<Worn>(KEY, {
    id,
    get art() {
      return art() ?? plain.art;
    },
    sign: (colour) => (art()?.signs?.[colour] === undefined ? plain.sign(colour) : `#${id}-${colour}`),
  });
}

export const worn = (): Worn => getContext<Worn | undefined>(KEY) ?? plain;
