// Events, outcomes and options of Plingo in words; those of events are the same as in the terminal, unless a theme
// has its own.
import type { PlingoEvent, PlingoView } from '$generated/wire';
import { chosen as chosenCard, colourName, theCard } from '$art/cards';
import { formatList } from '$device/i18n.svelte';
import type { OptionText, Who } from '../game';
import { m } from './messages';

const named = (cards: readonly string[]) => formatList(cards.map((card) => theCard(card)));

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
    case 'bid': {
      const { boxes } = event;
      return you ? m.plingo_bid_you({ boxes }) : m.plingo_bid_other({ seat, boxes });
    }
    case 'passed':
      return you ? m.plingo_passed_you() : m.plingo_passed_other({ seat });
    case 'auction_won': {
      const { boxes } = event;
      return you ? m.plingo_auction_won_you({ boxes }) : m.plingo_auction_won_other({ seat, boxes });
    }
    case 'all_passed':
      return you ? m.plingo_all_passed_you() : m.plingo_all_passed_other({ seat });
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
      const boxes = formatList(event.boxes.map(String));
      return you ? m.plingo_ticked_you({ boxes }) : m.plingo_ticked_other({ seat, boxes });
    }
    case 'missed': {
      const { bid, boxes } = event;
      return you ? m.plingo_missed_you({ bid, boxes }) : m.plingo_missed_other({ seat, bid, boxes });
    }
    case 'joker_left':
      return you ? m.plingo_joker_left_you() : m.plingo_joker_left_other({ seat });
    case 'turned':
      return you ? m.plingo_turned_you() : m.plingo_turned_other({ seat });
    case 'won': {
      const { boxes } = event;
      return you ? m.plingo_won_you({ boxes }) : m.plingo_won_other({ seat, boxes });
    }
  }
}

/** What a seat says in the auction. */
export function spoken(event: PlingoEvent): { seat: number; text: string } | null {
  if (event.event === 'bid') return { seat: event.seat, text: String(event.boxes) };
  return event.event === 'passed' ? { seat: event.seat, text: m.plingo_say_pass() } : null;
}

/** An action in words, for hints. */
export function chosen(action: string): string {
  if (action === 'pass') return m.plingo_pass();
  if (action === 'joker none') return m.plingo_joker_none();
  if (action.startsWith('bid ')) return m.plingo_bid_boxes({ n: action.slice(4) });
  return action.startsWith('joker ') ? m.plingo_box({ n: action.slice(6) }) : chosenCard(action);
}

export const teamOf = (view: PlingoView, seat: number): number => view.teams[seat] ?? seat;

export const inTeams = (view: PlingoView): boolean => view.grids.length < view.seats;

/** The signs of teams, beside their colours. */
export const SIGNS = ['●', '◆', '▲'];

/** Whether all winners are of one team. */
export const together = (view: PlingoView): boolean =>
  inTeams(view) && new Set(view.winners.map((seat) => teamOf(view, seat))).size === 1;

export function outcome(view: PlingoView, who: (seat: number) => Who): string {
  const [winner, ...others] = view.winners;
  if (winner === undefined) return '';
  const most = Math.max(...view.grids.map((grid) => grid.length));
  const tied = view.grids.filter((grid) => grid.length === most).length > 1;
  if (together(view)) {
    const names = formatList(view.winners.map((seat) => who(seat).name));
    const you = view.winners.some((seat) => who(seat).you);
    if (tied && view.full_grid) return you ? m.plingo_outcome_tie_team_you() : m.plingo_outcome_tie_team({ names });
    if (tied) return you ? m.plingo_outcome_even_team_you() : m.plingo_outcome_even_team({ names });
    if (view.full_grid) return you ? m.plingo_outcome_full_team_you() : m.plingo_outcome_full_team({ names });
    return you ? m.plingo_outcome_last_team_you() : m.plingo_outcome_last_team({ names });
  }
  if (others.length > 0) return m.plingo_outcome_shared();
  const { you, name } = who(winner);
  if (tied && view.full_grid) return you ? m.plingo_outcome_tie_you() : m.plingo_outcome_tie({ name });
  if (tied) return you ? m.plingo_outcome_even_you() : m.plingo_outcome_even({ name });
  if (view.full_grid) return you ? m.plingo_outcome_full_you() : m.plingo_outcome_full({ name });
  return you ? m.plingo_outcome_last_you() : m.plingo_outcome_last({ name });
}

export const options = (): Record<string, OptionText> => ({
  first_master: { label: m.plingo_first_master(), about: m.plingo_first_master_about(), values: {} },
  joker: {
    label: m.plingo_option_joker(), about: m.plingo_option_joker_about(),
    values: {
      must: { label: m.plingo_joker_must(), about: m.plingo_joker_must_about() },
      may: { label: m.plingo_joker_may(), about: m.plingo_joker_may_about() },
    },
  },
  teams: {
    label: m.plingo_option_teams(), about: m.plingo_option_teams_about(), proposal: true,
    when: ({ seats }) => seats === 4 || seats === 6,
    values: {
      none: { label: m.plingo_teams_none(), about: m.plingo_teams_none_about() },
      pairs: { label: m.plingo_teams_pairs(), about: m.plingo_teams_pairs_about() },
      halves: { label: m.plingo_teams_halves(), about: m.plingo_teams_halves_about() },
    },
  },
  auction: {
    label: m.plingo_option_auction(), about: m.plingo_option_auction_about(), proposal: true,
    values: {
      off: { label: m.plingo_auction_off(), about: m.plingo_auction_off_about() },
      on: { label: m.plingo_auction_on(), about: m.plingo_auction_on_about() },
    },
  },
});
