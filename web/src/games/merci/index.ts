// The client of Merci: what the contract (`game.ts`) asks for.
import type { MerciView } from '$generated/wire';
import { sorted } from '$art/cards';
import { plural, m } from '$device/i18n.svelte';
import ReactionTimes from '$table/ReactionTimes.svelte';
import type { GameClient } from '../game';
import Backs from './Backs.svelte';
import Centre from './Centre.svelte';
import Hand from './Hand.svelte';
import Plate from './Plate.svelte';
import Strip from './Strip.svelte';
import WordButtons from './WordButtons.svelte';
import { frames, preview, type ShownEvent } from './frames';
import { name, naming, refused } from './selection.svelte';
import { bare } from './politeness';
import { rounds } from './rounds';
import { chosen, options, outcome, prompt, sentence, spoken, waits } from './sentences';

const client: GameClient<MerciView, ShownEvent> = {
  live: true,
  frames: frames as GameClient<MerciView, ShownEvent>['frames'],
  preview,
  sentence,
  spoken,
  options,
  outcome,
  rounds,
  roundEnd(events, sentence) {
    const won = events.findLast(({ event }) => event === 'round_over');
    return { why: won ? sentence(won) : '', next: '' };
  },
  prompt,
  waits,
  chosen,
  reason: () => null,
  refused: (stage, _, action, text) => refused(stage, action, text),
  sound(event) {
    if (event.event === 'laid') return 'card';
    if (event.event === 'got') return 'gather';
    if (event.event === 'hearts') return event.change > 0 ? 'pay' : 'tick';
    if (event.event === 'dealt') return 'deal';
    if (event.event === 'denounced') return 'wrong';
    return event.event === 'won' ? 'win' : null;
  },
  hand: (view) => sorted(view.hand),
  listed: bare,
  lights: { 'card *': '.cards [data-card^="*/"]', 'word *': '[data-light="word *"]', 'stack *': '[data-stack="*"]', stacks: '[data-stack]', pile: '[data-anchor="pile"]', reserve: '[data-anchor="reserve"]' },
  pick(stage, seat) {
    if (naming(stage, seat) === null) return null;
    const who = seat === stage.seat ? m.you() : stage.nameOf(seat);
    const label = (stage.view?.phase === 'heart' ? m.merci_pick_heart : stage.view?.phase === 'gift' ? m.merci_pick_give : m.merci_pick_draw)({ name: who });
    return { label, run: () => name(stage, seat) };
  },
  score: (view, seat) => view.hearts[seat] ?? 0,
  unit: (n) => plural(n, m.merci_unit_one, m.merci_unit),
  Strip,
  Centre,
  Plate,
  Hand,
  Backs,
  Controls: WordButtons,
  Epilogue: ReactionTimes,
};

export const game = client as unknown as GameClient;
