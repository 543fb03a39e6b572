// What happens in Merci, picture by picture: in real time one picture an update, so that nobody waits to
// act; only the end of a round lies still for a moment.
import type { MerciEvent, MerciView } from '$generated/wire';
import type { Frame, Happening } from '../game';
import { frontOf, wrongThanks, wrongWith, type Reason } from './manners';

type V = MerciView;

/** Why somebody was denounced: told here, once it was; no event of the server. */
export interface Fault {
  event: 'fault';
  seat: number;
  reason: Reason;
}

export type Told = MerciEvent | Fault;

/** What is kept from picture to picture. */
export interface Memory {
  /** The back that the SIOUPLAIT being settled has shown. */
  effect: string | null;
  /** What was laid or taken last, and what was wrong with it. */
  deed: { seat: number; reason: Reason | null } | null;
}

export const NOTHING: Memory = { effect: null, deed: null };

const ROUND = 2200;

const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at);

/** The table with one more card laid; a card of one's own is named with its back. */
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

/** The table as one's own card leaves it, claimed and not yet settled. What else one does brings cards
 * that can't be known: then only nobody is awaited any more. */
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

/** What is remembered after an event. */
function remember(memory: Memory, before: V | null, event: MerciEvent): Memory {
  switch (event.event) {
    case 'laid': {
      if (!before) return { ...memory, deed: null };
      const onTurn = before.phase === 'turn' && before.turn === event.seat;
      const deed = { rules: before.rules, tops: before.tops, onTurn, word: event.word, card: event.card, stack: event.stack - 1 };
      return { ...memory, deed: { seat: event.seat, reason: wrongWith(deed) } };
    }
    case 'effect':
      return { ...memory, effect: event.back };
    case 'thanked':
      return { effect: null, deed: { seat: event.seat, reason: wrongThanks(memory.effect, event.word) } };
    case 'dealt':
      return NOTHING;
    default:
      return memory;
  }
}

export function frames(before: V | null, { events, view }: Happening<V, MerciEvent>, memory?: unknown): Frame<V, Told>[] {
  let kept = (memory as Memory | undefined) ?? NOTHING;
  const told: Told[] = [];
  let news: readonly Told[] = [];
  for (const event of events) {
    kept = remember(kept, before, event);
    told.push(event);
    if (event.event !== 'denounced') continue;
    const { deed } = kept;
    kept = { ...kept, deed: null };
    if (!deed || deed.seat === event.seat) continue; // it was before this page came
    const fault: Fault = { event: 'fault', ...(deed.reason ? { seat: deed.seat, reason: deed.reason } : { seat: event.seat, reason: 'false' }) };
    told.push(fault);
    news = [fault];
  }
  if (view.phase === 'turn' && !events.some(({ event }) => event === 'effect')) kept = { ...kept, effect: null };
  const list: Frame<V, Told>[] = [];
  const end = told.findIndex(({ event }) => event === 'round_over' || event === 'won');
  if (before && end >= 0) {
    const dealt = told.findIndex(({ event }) => event === 'dealt');
    const upto = dealt < 0 ? told.length : dealt;
    const first = told.splice(0, upto);
    list.push({ view: ended(before, first, view), events: first, hold: ROUND, marks: { news: first.filter(isNews), memory: kept } });
  }
  list.push({ view, events: told, hold: 0, marks: { memory: kept, ...(news.length > 0 ? { news } : {}) } });
  return list;
}

const isNews = ({ event }: Told) => ['round_over', 'won', 'hearts', 'fault'].includes(event);

/** The table with the last card on it and the hearts counted out, and nobody to act. */
function ended(before: V, events: readonly Told[], after: V): V {
  const laid = events.find((each) => each.event === 'laid');
  const shown = laid ? withLaid(before, laid.seat, laid.card, laid.stack) : before;
  return { ...shown, hearts: after.hearts, reserve: after.reserve, phase: 'dealing', turn: null, awaited: [], speaker: null, owes: null };
}
