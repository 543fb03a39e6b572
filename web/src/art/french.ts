// The French suits and their ranks: words and symbols, fetched for games from outside that may have them.
import { mount } from 'svelte';
import { m } from '$device/i18n.svelte';
import { addSuits, colourName, printed, type Name } from './cards';
import FrenchSymbols from './FrenchSymbols.svelte';

/** The ranks that are no numbers: their words, alone and with an article. */
const courts: Record<string, { name: Name; the: Name }> = {
  J: { name: (locale) => m.rank_J({}, { locale }), the: (locale) => m.rank_the_J({}, { locale }) },
  Q: { name: (locale) => m.rank_Q({}, { locale }), the: (locale) => m.rank_the_Q({}, { locale }) },
  K: { name: (locale) => m.rank_K({}, { locale }), the: (locale) => m.rank_the_K({}, { locale }) },
  A: { name: (locale) => m.rank_A({}, { locale }), the: (locale) => m.rank_the_A({}, { locale }) },
};

let added = false;

/** Makes them known to the page, once. */
export function addFrenchSuits(): void {
  if (added) return;
  added = true;
  addSuits(
    {
      C: { symbol: 'club', name: (locale) => m.colour_C({}, { locale }) },
      D: { symbol: 'diamond', name: (locale) => m.colour_D({}, { locale }) },
      S: { symbol: 'spade', name: (locale) => m.colour_S({}, { locale }) },
      H: { symbol: 'heart', name: (locale) => m.colour_H({}, { locale }) },
    },
    ({ suit, rank }, article, locale) => {
      const number = printed(rank);
      const alone = courts[rank]?.name(locale) ?? number;
      const said = article ? (courts[rank]?.the(locale) ?? m.rank_the({ rank: number }, { locale })) : alone;
      return m.card_of({ rank: said, suit: colourName(suit, locale) }, { locale });
    },
  );
  mount(FrenchSymbols, { target: document.body });
}
