// What happens in Plingo, in words: the same ones that the terminal uses, unless a theme has its own.
import type { PlingoEvent, PlingoView } from '$generated/wire';
import { colourName, theCard } from '$lib/cards';
import { listed } from '$lib/i18n.svelte';
import type { OptionText, Who } from '../game';
import { m } from './words';

const BOXES = 9;

const named = (cards: readonly string[]) => listed(cards.map(theCard));

export function sentence(event: PlingoEvent, who: (seat: number) => Who): string {
  if (event.event === 'cancelled') return m.plingo_cancelled({ cards: named(event.cards) });
  if (event.event === 'last_round') return m.plingo_last_round();
  const { you, name: seat } = who(event.seat);
  switch (event.event) {
    case 'seated':
      return you ? m.plingo_seated_you() : m.plingo_seated_other({ seat });
    case 'dealt': {
      const { round } = event;
      return you ? m.plingo_dealt_you({ round }) : m.plingo_dealt_other({ seat, round });
    }
    case 'trump': {
      const colour = colourName(event.colour);
      return you ? m.plingo_trump_you({ colour }) : m.plingo_trump_other({ seat, colour });
    }
    case 'no_trump':
      return you ? m.plingo_no_trump_you() : m.plingo_no_trump_other({ seat });
    case 'played': {
      const card = theCard(event.card);
      return you ? m.plingo_played_you({ card }) : m.plingo_played_other({ seat, card });
    }
    case 'took': {
      const cards = named(event.cards);
      return you ? m.plingo_took_you({ cards }) : m.plingo_took_other({ seat, cards });
    }
    case 'nobody_took':
      return you ? m.plingo_nobody_took_you() : m.plingo_nobody_took_other({ seat });
    case 'revealed': {
      if (event.cards.length === 0) return you ? m.plingo_revealed_nothing_you() : m.plingo_revealed_nothing_other({ seat });
      const cards = named(event.cards);
      return you ? m.plingo_revealed_you({ cards }) : m.plingo_revealed_other({ seat, cards });
    }
    case 'ticked': {
      const boxes = listed(event.boxes.map(String));
      return you ? m.plingo_ticked_you({ boxes }) : m.plingo_ticked_other({ seat, boxes });
    }
    case 'turned':
      return you ? m.plingo_turned_you() : m.plingo_turned_other({ seat });
    case 'won': {
      const { boxes } = event;
      return you ? m.plingo_won_you({ boxes }) : m.plingo_won_other({ seat, boxes });
    }
  }
}

export function outcome(view: PlingoView, who: (seat: number) => Who): string {
  const [winner, ...others] = view.winners;
  if (winner === undefined) return '';
  if (others.length > 0) return m.plingo_outcome_shared();
  const { you, name } = who(winner);
  if (view.grids.filter((grid) => grid.length === BOXES).length > 1) {
    return you ? m.plingo_outcome_tie_you() : m.plingo_outcome_tie({ name });
  }
  if (view.full_grid) return you ? m.plingo_outcome_full_you() : m.plingo_outcome_full({ name });
  return you ? m.plingo_outcome_last_you() : m.plingo_outcome_last({ name });
}

export const options = (): Record<string, OptionText> => ({
  first_master: { label: m.plingo_first_master(), about: m.plingo_first_master_about(), values: {} },
});
