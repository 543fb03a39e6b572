// How a language sets its signs. The script that gathers the sentences reads this file too, so it is
// plain JavaScript.

/**
 * In French a sign of two parts keeps to its word: a line must not begin with it.
 * @param {string} text
 */
export const unbroken = (text) => text.replace(/ (?=[!?:;%»])|(?<=«) /g, '\u00a0');
