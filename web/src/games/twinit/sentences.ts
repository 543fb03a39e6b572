// Events, outcomes and options of Twin It! in words. Cards have no names that people see, so none are said.
import type { TwinitEvent, TwinitView } from '$generated/wire';
import { messages } from '$generated/told/twinit';
import { language, formatList, m } from '$device/i18n.svelte';
import type { OptionText, Who } from '../game';
import { tell, textsOf } from '../sentences';

const modes: Record<string, () => string> = { race: () => m.twinit_modes_race(), teams: () => m.twinit_modes_teams(), coop: () => m.twinit_modes_coop(), rush: () => m.twinit_modes_rush() };
const levels: Record<string, () => string> = { beginners: () => m.twinit_levels_beginners(), promising: () => m.twinit_levels_promising(), experts: () => m.twinit_levels_experts(), geniuses: () => m.twinit_levels_geniuses() };

export const modeName = (mode: string): string => modes[mode]?.() ?? mode;
export const coopLevelName = (level: string): string => levels[level]?.() ?? level;

const texts = textsOf('twinit', messages);

export function sentence(event: TwinitEvent, who: (seat: number) => Who): string {
  switch (event.event) {
    case 'spread':
      return m.twinit_told_spread({ seconds: event.seconds });
    case 'turned_over':
      return m.twinit_told_turned_over({ n: event.faces.length });
    case 'tied':
      return m.twinit_told_tied({ names: formatList(event.seats.map((seat) => (who(seat).you ? m.you() : who(seat).name))) });
    case 'time_up':
      return m.twinit_told_time_up({ points: event.points });
    case 'reached':
      return m.twinit_told_reached({ level: coopLevelName(event.level) });
    case 'shows':
    case 'touched':
    case 'lifted':
      return ''; // the next event tells what comes of it
  }
  const { you, name } = who(event.seat);
  switch (event.event) {
    case 'aside':
      return you ? m.twinit_told_aside_you() : m.twinit_told_aside({ name });
    case 'flipped':
      return you ? m.twinit_told_flipped_you() : m.twinit_told_flipped({ name });
    case 'turned':
      return you ? m.twinit_told_turned_you() : m.twinit_told_turned({ name });
    case 'moved':
      return you ? m.twinit_told_moved_you() : m.twinit_told_moved({ name });
    case 'expired':
      return you ? m.twinit_told_expired_you() : m.twinit_told_expired({ name });
    case 'caught':
      return you ? m.twinit_told_caught_you() : m.twinit_told_caught({ name });
    case 'caught_together': {
      const mate = who(event.mate);
      if (you) return m.twinit_told_together_you({ name: mate.name });
      return mate.you ? m.twinit_told_together_you({ name }) : m.twinit_told_together({ name, mate: mate.name });
    }
    case 'stole': {
      const victim = who(event.victim);
      if (you) return m.twinit_told_stole_you({ victim: victim.name });
      return victim.you ? m.twinit_told_stolen({ name }) : m.twinit_told_stole({ name, victim: victim.name });
    }
    case 'tripled':
      return you ? m.twinit_told_tripled_you() : m.twinit_told_tripled({ name });
    case 'erred':
      return you ? m.twinit_told_erred_you() : m.twinit_told_erred({ name });
    case 'lost':
      return you ? m.twinit_told_lost_you() : m.twinit_told_lost({ name });
  }
  return tell(event, who, texts);
}

export function outcome(view: TwinitView, who: (seat: number) => Who): string {
  if (view.mode === 'coop') {
    const points = m.twinit_told_points({ points: view.points[0] ?? 0 });
    return view.level ? `${points} ${m.twinit_told_reached({ level: coopLevelName(view.level) })}` : points;
  }
  const [winner] = view.winners;
  if (winner === undefined) return '';
  if (view.winners.length > 1 && view.mode !== 'teams') return m.twinit_outcome_shared();
  const you = view.winners.some((seat) => who(seat).you);
  const name = formatList(view.winners.map((seat) => who(seat).name));
  if (view.mode === 'rush') return you ? m.twinit_outcome_rush_you() : m.twinit_outcome_rush({ name });
  const n = view.catches[view.owners[winner] ?? winner]?.length ?? 0;
  return you ? m.twinit_outcome_race_you({ n }) : m.twinit_outcome_race({ name, n });
}

const UNEVEN = 5; // seats of which one team has three
const LARGER_TEAM = 0;
const LEAST_IN_TEAMS = 4;
const HAND_TIMES = [0, 3000, 8000];

type ChosenOptions = Readonly<Record<string, unknown>>;
const piled = ({ mode }: ChosenOptions): boolean => mode === 'race' || mode === 'teams';
const seconds = (ms: number): string => m.settings_seconds({ n: (ms / 1000).toLocaleString(language()) });

/** Alone one can only play against the minute. */
export const leastSeats = ({ mode }: ChosenOptions): number => (mode === 'teams' ? LEAST_IN_TEAMS : mode === 'race' ? 2 : 1);

export const options = (): Record<string, OptionText> => ({
  mode: {
    label: m.twinit_option_mode(),
    about: m.twinit_option_mode_about(),
    values: {
      race: { label: modeName('race'), about: m.twinit_mode_race_about() },
      teams: { label: modeName('teams'), about: m.twinit_mode_teams_about(), with: ({ seats }) => ({ seats: Math.max(Number(seats), LEAST_IN_TEAMS) }) },
      coop: { label: modeName('coop'), about: m.twinit_mode_coop_about() },
      rush: { label: modeName('rush'), about: m.twinit_mode_rush_about() },
    },
  },
  taboo_team: {
    label: m.twinit_option_taboo(),
    about: m.twinit_option_taboo_about(),
    values: {
      none: { label: m.twinit_taboo_no(), about: m.twinit_taboo_no_about() },
      [LARGER_TEAM]: { label: m.twinit_taboo_yes(), about: m.twinit_taboo_yes_about() },
    },
    when: ({ mode, seats }) => mode === 'teams' && seats === UNEVEN,
  },
  first_player: { label: m.twinit_option_first(), about: m.twinit_option_first_about(), values: {}, when: piled },
  catches: { label: m.twinit_option_catches(), about: m.twinit_option_catches_about(), values: {}, when: piled },
  count_ms: { label: m.twinit_option_count(), about: m.twinit_option_count_about(), values: {}, shown: seconds, when: piled },
  minute_ms: { label: m.twinit_option_minute(), about: m.twinit_option_minute_about(), values: {}, shown: seconds, when: (chosen) => !piled(chosen) },
  hand_ms: {
    label: m.twinit_option_hand(),
    about: m.twinit_option_hand_about(),
    values: {},
    numbers: () => HAND_TIMES,
    shown: (ms) => (ms === 0 ? m.twinit_hand_free() : seconds(ms)),
  },
});
