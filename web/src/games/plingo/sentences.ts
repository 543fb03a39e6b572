// Events, outcomes and options of Plingo in words; those of events are the same as in the terminal, unless a theme
// has its own.
import type { PlingoEvent, PlingoView } from '$generated/wire';
import { chosen as chosenCard } from '$art/cards';
import { formatList } from '$device/i18n.svelte';
import type { OptionText, Who } from '../game';
import { tell, textsOf } from '../sentences';
import { m } from './messages';

const texts = textsOf('plingo', m);

export function sentence(event: PlingoEvent, who: (seat: number) => Who): string {
  if (event.event === 'revealed' && event.cards.length === 0) {
    const { you, name: seat } = who(event.seat);
    return you ? m.plingo_revealed_nothing_you() : m.plingo_revealed_nothing_other({ seat });
  }
  return tell(event, who, texts);
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
