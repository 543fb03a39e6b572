// Typography of a language. Plain JavaScript, since the build scripts import it too.

/**
 * No-break spaces before French punctuation (! ? : ; % ») and after «, so that no line begins with it.
 * @param {string} text
 */
export const frenchSpacing = (text) => text.replace(/ (?=[!?:;%»])|(?<=«) /g, '\u00a0');
