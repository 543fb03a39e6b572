// A game's sentences where a theme may say them otherwise.

/** A theme's own words for a sentence, by its name without the game's; undefined: it has none. */
export type ThemeTextLookup = (word: string) => string | undefined;

type Sentence = (inputs?: Record<string, unknown>) => string;

const filled = (text: string, inputs: Record<string, unknown>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(inputs[name]));

/** The sentences, each in the words that `says` has when it is said. */
export function themedMessages<M extends object>(game: string, messages: M, says: ThemeTextLookup): M {
  const said = (name: string, own: Sentence): Sentence => (inputs = {}) => {
    const text = says(name.slice(game.length + 1));
    return text === undefined ? own(inputs) : filled(text, inputs);
  };
  return Object.fromEntries(Object.entries(messages).map(([name, own]) => [name, said(name, own as Sentence)])) as M;
}
