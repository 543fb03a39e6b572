// A game's messages, of which a theme may replace any.

/** A theme's own text for a message, by its key without the game's prefix; undefined: it has none. */
export type ThemeTextLookup = (word: string) => string | undefined;

type Sentence = (inputs?: Record<string, unknown>) => string;

const filled = (text: string, inputs: Record<string, unknown>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(inputs[name]));

/** The messages, each looked up in the theme when it is called. */
export function themedMessages<M extends object>(game: string, messages: M, lookup: ThemeTextLookup): M {
  const said = (name: string, own: Sentence): Sentence => (inputs = {}) => {
    const text = lookup(name.slice(game.length + 1));
    return text === undefined ? own(inputs) : filled(text, inputs);
  };
  return Object.fromEntries(Object.entries(messages).map(([name, own]) => [name, said(name, own as Sentence)])) as M;
}
