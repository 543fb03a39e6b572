// The messages of Plingo, with the texts of the chosen theme.
import { messages } from '$generated/words/plingo';
import { themedMessages, type ThemeTextLookup } from '../themed-messages';

let lookup: ThemeTextLookup = () => undefined;

/** Where to look up the texts of the chosen theme. */
export function useThemeTexts(from: ThemeTextLookup): void {
  lookup = from;
}

export const m = themedMessages('plingo', messages, (word) => lookup(word));
