// The client of Marshmallow Test: what the contract (`game.ts`) asks for.
import type { MarshmallowEvent, MarshmallowView } from '$generated/wire';
import { messages } from '$generated/told/marshmallow';
import { sorted } from '$art/cards';
import { plural, m } from '$device/i18n.svelte';
import TrickCentre from '$table/TrickCentre.svelte';
import TrumpChoice from '$table/TrumpChoice.svelte';
import type { GameClient } from '../game';
import { scoresByRound } from '../round-scores';
import { tell, textsOf } from '../sentences';
import { withOwnCard } from '../tricks';
import Plate from './Plate.svelte';
import Strip from './Strip.svelte';
import { frames } from './frames';
import { options, reason } from './sentences';

const texts = textsOf('marshmallow', messages);

const client: GameClient<MarshmallowView, MarshmallowEvent> = {
  frames,
  preview: withOwnCard,
  sentence: (event, who) => tell(event, who, texts),
  reason,
  options,
  rounds: (events, seats) => scoresByRound(events, seats, (event) => (event.event === 'went_out' ? event : null)),
  roundEnd(events, sentence, who) {
    const out = events.findLast((each) => each.event === 'went_out');
    const over = events.find((each) => each.event === 'round_over');
    const dealer = over && who(over.seat);
    return { why: out ? sentence(out) : '', next: dealer ? (dealer.you ? m.marshmallow_deals_next_you() : m.marshmallow_deals_next({ name: dealer.name })) : '' };
  },
  sound(event) {
    if (event.event === 'played') return 'card';
    if (event.event === 'took') return 'gather';
    if (event.event === 'dealt') return 'deal';
    if (event.event === 'went_out') return 'pay';
    return event.event === 'won' ? 'win' : null;
  },
  hand: (view) => sorted(view.hand, view.trump),
  prompt: (view) => (view.phase === 'trump' ? m.choose_trump() : null),
  outcome(view, who) {
    const winner = view.winners[0];
    if (winner === undefined) return '';
    const { you, name } = who(winner);
    const { target } = view;
    return you ? m.marshmallow_outcome_you({ target }) : m.marshmallow_outcome({ name, target });
  },
  score: (view, seat) => view.scores[seat] ?? 0,
  unit: (n) => plural(n, m.marshmallow_unit_one, m.marshmallow_unit),
  Strip,
  Centre: TrickCentre,
  Plate,
  Choice: TrumpChoice,
};

export const game = client as unknown as GameClient;
