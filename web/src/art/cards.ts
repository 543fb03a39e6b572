// Cards in the notation of the protocol ("B7"), and their names in words.
import { m } from '$device/i18n.svelte';

export const colours = ['B', 'G', 'Y', 'P', 'O'] as const;
export type Colour = (typeof colours)[number];

/** Each colour has its own symbol: colour alone is never the only cue. */
export const symbols: Record<Colour, string> = {
  B: 'wave',
  G: 'leaf',
  Y: 'sun',
  P: 'blossom',
  O: 'flame',
};

const names: Record<Colour, () => string> = {
  B: () => m.colour_B(),
  G: () => m.colour_G(),
  Y: () => m.colour_Y(),
  P: () => m.colour_P(),
  O: () => m.colour_O(),
};

export const isColour = (text: string): text is Colour => (colours as readonly string[]).includes(text);

export function colourOf(card: string): Colour {
  const first = card[0] ?? '';
  if (!isColour(first)) throw new Error(`no card: ${card}`);
  return first;
}

/** The value of a card, whose notation may include its back ("Y3/gift"). */
export const valueOf = (card: string): number => Number.parseInt(card.slice(1), 10);

export const colourName = (colour: string): string => (isColour(colour) ? names[colour]() : colour);

const parts = (card: string) => ({ number: String(valueOf(card)), colour: colourName(colourOf(card)) });

/** "blue 7", as a screen reader names it. */
export const cardName = (card: string): string => m.card_name(parts(card));

/** "the blue 7", for sentences. */
export const theCard = (card: string): string => m.card_the(parts(card));

/** An action in words, if it names a card or a colour; otherwise its notation. */
export function chosen(action: string): string {
  const what = action.slice(action.indexOf(' ') + 1);
  if (isColour(what)) return m.chosen_colour({ colour: colourName(what) });
  if (what === 'none') return m.chosen_none();
  return /^[BGYPO]\d+$/.test(what) ? theCard(what) : what;
}

/** Sorted by colour, then by value; trump on the right, near the thumb. */
export function sorted(cards: readonly string[], trump: string | null = null): string[] {
  const rank = (card: string) => {
    const colour = colourOf(card);
    return (colour === trump ? 10 : colours.indexOf(colour)) * 100 + valueOf(card);
  };
  return [...cards].sort((a, b) => rank(a) - rank(b));
}
