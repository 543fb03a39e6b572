// The client of Twin It!: what the contract (`game.ts`) asks for.
import type { TwinitEvent, TwinitView } from '$generated/wire';
import { plural, m } from '$device/i18n.svelte';
import type { GameClient } from '../game';
import Felt from './Felt.svelte';
import ReactionTimes from '$table/ReactionTimes.svelte';
import Strip from './Strip.svelte';
import { faceCard } from './faces';
import { leastSeats, options, outcome, sentence } from './sentences';
import { touchesOf } from './touches.svelte';

/** Refusals that need no message: the card was gone, a hand was there first, the race was told already. */
const VOID = ['overtaken', 'not_visible', 'covered', 'frozen', 'no_hand_free', 'game_over', 'not_started', 'bad_action', 'not_your_turn'];

/** The optimistic view of a move; all else waits for the server. */
function moved(view: TwinitView, action: string): TwinitView | null {
  const [verb, card, , place] = action.split(' ');
  if (verb !== 'move' || !view.table.some(({ face }) => faceCard(face) === Number(card))) return null;
  return { ...view, table: view.table.map((each) => (faceCard(each.face) === Number(card) ? { ...each, place: Number(place) } : each)) };
}

const client: GameClient<TwinitView, TwinitEvent> = {
  live: true,
  hintless: true,
  frames: (_, { events, view }) => [{ view, events, hold: 0, marks: {} }],
  updateInPlace(stage, before, { events, view }) {
    const hands = events.every(({ event }) => event === 'touched' || event === 'lifted');
    const same = (key: keyof TwinitView) => key === 'hands' || view[key] === before[key];
    return hands && (Object.keys(view) as (keyof TwinitView)[]).every(same) ? () => touchesOf(stage).settle(view, events) : null;
  },
  preview: moved,
  sentence,
  options,
  leastSeats,
  outcome,
  ended: () => m.twinit_time_up(),
  together: (view) => view.mode === 'teams',
  rounds: () => [],
  reason: () => null,
  refused(stage, code, action) {
    touchesOf(stage).refused(code, action);
    if (code === 'no_pair') return m.twinit_no_pair();
    return VOID.includes(code) ? null : m.failed();
  },
  again: (kind) => (kind === 'taboo' ? m.twinit_again_taboo() : m.again()),
  sound(event, own) {
    switch (event.event) {
      case 'flipped':
      case 'moved':
      case 'turned':
      case 'turned_over':
        return 'card';
      case 'piles':
      case 'spread':
        return 'deal';
      case 'caught':
      case 'caught_together':
      case 'tripled':
      case 'stole':
        return event.seat === own ? 'pay' : 'gather';
      case 'erred':
        return 'wrong';
      case 'tied':
        return 'tick';
      case 'won':
      case 'won_points':
      case 'time_up':
        return 'win';
      default:
        return null;
    }
  },
  hand: () => [],
  prompt: (view) => (view.mode === 'race' || view.mode === 'teams' ? m.twinit_your_flip() : m.twinit_look()),
  score: (view, seat) => {
    const owner = view.owners[seat] ?? seat;
    return view.mode === 'race' || view.mode === 'teams' ? (view.catches[owner]?.length ?? 0) : (view.points[owner] ?? 0);
  },
  unit: (n, { mode }) => (mode === 'race' || mode === 'teams' ? plural(n, m.twinit_unit_catch, m.twinit_unit_catches) : plural(n, m.twinit_unit_point, m.twinit_unit_points)),
  lights: {
    board: '.felt .sheet .tile',
    trick: '.felt .sheet .tile',
    'card *': '.felt [data-card="*"]',
    'top *': '[data-anchor="pile-*"]',
    'catches *': '.felt .seat.s* .catches',
    flip: '.felt .flip',
    compare: '.felt .compare',
  },
  Strip,
  Felt,
  Epilogue: ReactionTimes,
};

export const game = client as unknown as GameClient;
