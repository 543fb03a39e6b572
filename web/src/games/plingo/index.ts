// Plingo at the table.
import type { PlingoEvent, PlingoView } from '$generated/wire';
import { sorted } from '$lib/cards';
import { counted, m as page } from '$lib/i18n.svelte';
import type { GameClient } from '../game';
import { withOwn } from '../pictures';
import Centre from './Centre.svelte';
import Choice from './Choice.svelte';
import Plate from './Plate.svelte';
import Strip from './Strip.svelte';
import { frames } from './frames';
import { rounds } from './rounds';
import { options, outcome, sentence } from './sentences';
import { m, speak } from './words';

const client: GameClient<PlingoView, PlingoEvent> = {
  frames,
  preview: withOwn,
  sentence,
  speak,
  options,
  outcome,
  rounds,
  reason: () => null,
  sound(event) {
    if (event.event === 'played') return 'card';
    if (event.event === 'took') return 'gather';
    if (event.event === 'dealt') return 'deal';
    if (event.event === 'ticked') return 'tick';
    if (event.event === 'cancelled') return 'wrong';
    return event.event === 'won' ? 'win' : null;
  },
  hand: (view) => sorted(view.hand, view.trump),
  prompt(view) {
    if (view.phase === 'trump') return page.choose_trump();
    return view.phase === 'joker' ? m.plingo_choose_box() : null;
  },
  score: (view, seat) => view.grids[seat]?.length ?? 0,
  unit: (n) => counted(n, m.plingo_unit_one, m.plingo_unit),
  Strip,
  Centre,
  Plate,
  Choice,
};

export const game = client as unknown as GameClient;
