// The sentences of Plingo, in the words of the theme that is to be seen.
import { messages } from '$generated/words/plingo';
import { themedMessages, type ThemeTextLookup } from '../themed-messages';

let words: ThemeTextLookup = () => undefined;

/** The table tells where the words of the theme are. */
export function useThemeTexts(says: ThemeTextLookup): void {
  words = says;
}

export const m = themedMessages('plingo', messages, (word) => words(word));
