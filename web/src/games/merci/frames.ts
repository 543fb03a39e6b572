// The frames of Merci: in real time one frame an update, so that nobody waits to act; only the end of a round is
// held for a moment.
import type { MerciEvent, MerciView } from '$generated/wire';
import type { Frame, Happening } from '../game';
import { ROUND_END } from '../round-summary';
import { frontOf } from './politeness';

type V = MerciView;

/** A fault that was denounced, shown for a while; in the log it is part of the denunciation. */
export interface Fault {
  event: 'fault';
  denounced: Denounced;
}

type Denounced = Extract<MerciEvent, { event: 'denounced' }>;

export type ShownEvent = MerciEvent | Fault;

/** What is kept from frame to frame. */
export interface Memory {
  /** The back turned up by the SIOUPLAIT that is being resolved. */
  effect: string | null;
  /** The cards that the viewer took last, until it acts again. */
  drawn: readonly string[];
}

export const NOTHING: Memory = { effect: null, drawn: [] };

const ROUND = 2200;

const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at);

/** The view with one more card laid; a card of the viewer's is named with its back. */
function withLaid(view: V, seat: number, card: string, stack: number): V {
  const held = view.hand.findIndex((each) => each === card || frontOf(each) === card);
  return {
    ...view,
    tops: view.tops.map((top, i) => (i === stack - 1 ? frontOf(card) : top)),
    laid: view.laid + 1,
    cards: view.cards.map((n, each) => (each === seat ? n - 1 : n)),
    hand: seat === view.seat && held >= 0 ? without(view.hand, held) : view.hand,
  };
}

/** The optimistic view after an own card. Other actions bring unknown cards: then only no seat is awaited any
 * more. */
export function preview(view: V, action: string): V | null {
  const { seat } = view;
  if (seat === null) return null;
  const laid = /^(?:play|siouplait|skuz) (\S+) on ([123])$/.exec(action);
  if (laid?.[1] && laid[2]) {
    const after = withLaid(view, seat, laid[1], Number(laid[2]));
    return laid[0].startsWith('skuz') || !view.awaited.includes(seat) ? after : { ...after, awaited: [] };
  }
  return action === 'denounce' ? null : { ...view, awaited: [] };
}

/** The memory after some events. */
function remember(memory: Memory, events: readonly MerciEvent[], view: V): Memory {
  const shown = events.findLast(({ event }) => event === 'effect' || event === 'thanked' || event === 'dealt');
  const { effect } = shown ? { effect: shown.event === 'effect' ? shown.back : null } : memory;
  return { effect: view.phase === 'turn' && shown?.event !== 'effect' ? null : effect, drawn: drawn(memory, events, view) };
}

function drawn(memory: Memory, events: readonly MerciEvent[], { seat }: V): readonly string[] {
  const own = events.filter((each) => each.event === 'dealt' || ('seat' in each && each.seat === seat && ['laid', 'got', 'took_back', 'denounced'].includes(each.event)));
  if (own.length === 0) return memory.drawn;
  return own.flatMap((each) => (each.event === 'got' ? each.cards : []));
}

const news = (events: readonly MerciEvent[]): ShownEvent[] =>
  events.flatMap((each): ShownEvent[] => {
    if (each.event === 'denounced') return [{ event: 'fault', denounced: each }];
    return ['round_over', 'won', 'hearts'].includes(each.event) ? [each] : [];
  });

export function frames(before: V | null, { events, view }: Happening<V, MerciEvent>, memory?: unknown): Frame<V, ShownEvent>[] {
  const kept = remember((memory as Memory | undefined) ?? NOTHING, events, view);
  const ends = before !== null && events.some(({ event }) => event === 'round_over' || event === 'won');
  const dealt = events.findIndex(({ event }) => event === 'dealt');
  const upto = !ends ? 0 : dealt < 0 ? events.length : dealt;
  const [first, rest] = [events.slice(0, upto), events.slice(upto)];
  const faults = news(rest).filter(({ event }) => event === 'fault');
  const last = { view, events: rest, hold: 0, marks: { memory: kept, ...(faults.length > 0 ? { news: faults } : {}) } };
  if (!ends) return [last];
  const shown = ended(before, first, view);
  if (view.phase === 'over') return [{ view: shown, events: first, hold: ROUND, marks: { news: news(first), memory: kept } }, last];
  return [{ view: shown, events: first, hold: ROUND_END, marks: { roundEnd: true, memory: kept } }, last];
}

/** The view with the last card laid and the hearts paid, and no seat to act. */
function ended(before: V, events: readonly MerciEvent[], after: V): V {
  const laid = events.find((each) => each.event === 'laid');
  const shown = laid ? withLaid(before, laid.seat, laid.card, laid.stack) : before;
  return { ...shown, hearts: after.hearts, reserve: after.reserve, phase: 'dealing', turn: null, awaited: [], speaker: null, owes: null };
}
