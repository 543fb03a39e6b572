// What a theme of Plingo draws beside the cards: the grid and the master card. A theme is a folder in `themes`:
// `index.ts` with its drawings, and its texts in three languages.
import { useArt } from '$art/art';
import type { Theme } from '../themes.svelte';

/** A box of the grid in one of its states, centred at 0 0: `fill` is the default colour of the drawing, `ink` that of
 * the numeral. */
interface BoxArt {
  art: string;
  fill: string;
  ink: string;
}

/** What the master card shows: at first, turned once, turned twice. */
export type Side = 'front' | 'back' | 'last';

export interface PlingoTheme extends Theme {
  grid: {
    /** Width and height, in drawing units. */
    size: readonly [number, number];
    /** Relative to the usual width on the table. */
    scale: number;
    /** Behind the boxes. */
    frame: string;
    /** The centres of the boxes 1 to 9. */
    spots: readonly (readonly [x: number, y: number])[];
    /** The size of the numerals. */
    numeral: number;
    open: BoxArt;
    /** An open box that the cards taken so far would tick. */
    would: BoxArt;
    ticked: BoxArt;
    /** Around a box that was just ticked. */
    fresh: string;
  };
  /** The sides of the master card, 32 × 44. */
  master: Record<Side, string>;
}

/** The theme in use; null: it is not loaded. */
export function useTheme(): () => PlingoTheme | null {
  const look = useArt();
  return () => ('grid' in look.art ? (look.art as PlingoTheme) : null);
}
