// The sentences of Plingo, in the words of the theme that is to be seen.
import { messages } from '$generated/words/plingo';
import { themed, type Says } from '../themed-messages';

let words: Says = () => undefined;

/** The table tells where the words of the theme are. */
export function speak(says: Says): void {
  words = says;
}

export const m = themed('plingo', messages, (word) => words(word));
