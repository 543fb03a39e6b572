// Reasons and options of Marshmallow Test in words.
import type { MarshmallowView } from '$generated/wire';
import { colourName, colourOf } from '$art/cards';
import { m } from '$device/i18n.svelte';
import type { OptionText } from '../game';

/** Why a card can't be played, with the colours of this trick. */
export function reason(code: string, view: MarshmallowView): string | null {
  const led = view.trick[0]?.card;
  if (!led || (code !== 'must_follow' && code !== 'must_trump')) return null;
  const colour = colourName(colourOf(led));
  if (code === 'must_trump') return m.marshmallow_trump_now({ colour: colourName(view.trump ?? '') });
  const trumped = view.trump !== colourOf(led) && view.trick.some(({ card }) => colourOf(card) === view.trump);
  return trumped && view.edition === 'en' ? m.marshmallow_follow_or_trump({ colour }) : m.marshmallow_follow({ colour });
}

export const options = (): Record<string, OptionText> => ({
  edition: {
    label: m.marshmallow_edition(),
    about: m.marshmallow_edition_about(),
    values: {
      en: { label: m.marshmallow_edition_en(), about: m.marshmallow_edition_en_about() },
      fr: { label: m.marshmallow_edition_fr(), about: m.marshmallow_edition_fr_about() },
    },
  },
  tricks_to_go_out: {
    label: m.marshmallow_tricks_to_go_out(),
    about: m.marshmallow_tricks_to_go_out_about(),
    values: { book: { label: m.marshmallow_tricks_to_go_out_book(), about: m.marshmallow_tricks_to_go_out_book_about() } },
    // Two players who go out with one trick could never score.
    numbers: ({ seats }) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].slice(seats === 2 ? 1 : 0),
  },
  target: { label: m.marshmallow_target(), about: m.marshmallow_target_about(), values: {} },
  first_dealer: { label: m.marshmallow_first_dealer(), about: m.marshmallow_first_dealer_about(), values: {} },
});
