// What a theme of Plingo draws beside the cards: the grid and the master card. A theme is a folder in
// `themes`: `index.ts` with its drawings, and its words in three languages.
import { worn } from '$art/art';
import type { Theme } from '../themes.svelte';

/** A box of the grid in one of its states, around 0 0; what has no colour of its own in it has `fill`,
 * on which the numeral is written in `ink`. */
interface BoxArt {
  art: string;
  fill: string;
  ink: string;
}

/** What the master card shows: at first, turned once, turned twice. */
export type Side = 'front' | 'back' | 'last';

export interface PlingoTheme extends Theme {
  grid: {
    /** Width and height of all of it, in the units of what is drawn. */
    size: readonly [number, number];
    /** Against the usual width on the table. */
    scale: number;
    /** Behind the boxes. */
    frame: string;
    /** Where the nine boxes are, 1 to 9. */
    spots: readonly (readonly [x: number, y: number])[];
    /** The size of the numerals. */
    numeral: number;
    open: BoxArt;
    /** An open box that what was taken so far would tick. */
    would: BoxArt;
    ticked: BoxArt;
    /** Around a box that was just ticked. */
    fresh: string;
  };
  /** The sides of the master card, 32 × 44. */
  master: Record<Side, string>;
}

/** The theme that is to be seen; null: there is none yet. */
export function theme(): () => PlingoTheme | null {
  const look = worn();
  return () => ('grid' in look.art ? (look.art as PlingoTheme) : null);
}
