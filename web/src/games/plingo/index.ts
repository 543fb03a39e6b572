// The client of Plingo: what the contract (`game.ts`) asks for.
import type { PlingoEvent, PlingoView } from '$generated/wire';
import { sorted } from '$art/cards';
import { plural, m as page } from '$device/i18n.svelte';
import type { GameClient } from '../game';
import { withOwnCard } from '../tricks';
import Centre from './Centre.svelte';
import Choice from './Choice.svelte';
import Plate from './Plate.svelte';
import Strip from './Strip.svelte';
import { frames } from './frames';
import { rounds } from './rounds';
import { chosen, options, outcome, sentence, spoken, teamOf, together } from './sentences';
import { m, useThemeTexts } from './messages';

const client: GameClient<PlingoView, PlingoEvent> = {
  frames,
  preview: withOwnCard,
  sentence,
  useThemeTexts,
  options,
  outcome,
  together,
  chosen,
  spoken,
  rounds,
  roundEnd(events, sentence) {
    const told = (...kinds: string[]) => events.filter(({ event }) => kinds.includes(event)).map(sentence).join(' ');
    return { why: told('missed', 'turned') || m.plingo_reveal_about(), next: told('last_round') };
  },
  reason: () => null,
  sound(event) {
    if (event.event === 'played') return 'card';
    if (event.event === 'took') return 'gather';
    if (event.event === 'dealt') return 'deal';
    if (event.event === 'ticked') return 'tick';
    if (event.event === 'cancelled' || event.event === 'missed') return 'wrong';
    return event.event === 'won' ? 'win' : null;
  },
  hand: (view) => sorted(view.hand, view.trump),
  prompt(view) {
    if (view.phase === 'bid') return m.plingo_choose_bid();
    if (view.phase === 'trump') return page.choose_trump();
    if (view.phase !== 'joker') return null;
    return view.joker_may ? m.plingo_choose_box_may() : m.plingo_choose_box();
  },
  waits: (view, name) => (view.phase === 'bid' ? m.plingo_waits_bid({ name }) : null),
  score: (view, seat) => view.grids[teamOf(view, seat)]?.length ?? 0,
  unit: (n) => plural(n, m.plingo_unit_one, m.plingo_unit),
  lights: { own: '[data-light="own"], .own .beside > *', reveal: '.reveal', master: '.own .master' },
  Strip,
  Centre,
  Plate,
  Choice,
};

export const game = client as unknown as GameClient;
