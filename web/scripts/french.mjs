/** In French a sign of two parts keeps to its word: a line must not begin with it. */
export const kept = (text) => text.replace(/ (?=[!?:;%»])|(?<=«) /g, '\u00a0');
