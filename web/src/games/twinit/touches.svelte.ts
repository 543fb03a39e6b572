// The viewer's hands: a touch is shown at once as claimed (optimistic), until the server confirms or refuses it. A
// finger that is held down is a hand for as long; a short tap leaves a hand for a moment, for the second tap.
import type { TwinitEvent, TwinitView } from '$generated/wire';
import { storeReaction } from '$device/reaction-times';
import type { Stage } from '../game';
import { alike, faceCard, handsOn, openFaces, type OnCard } from './faces';
import { HandPool, type HandOnCard } from './hand-pool';

const TAP = 350; // milliseconds: longer is a held touch
const LINGER = { race: 2500, teams: 8000, coop: 2500, rush: 2500 } as Record<string, number>;
const UNSETTLED = 2000;
const COMPARED = 2400;

const all = new WeakMap<Stage, Touches>();

export const touchesOf = (stage: Stage): Touches => {
  const found = all.get(stage) ?? new Touches(stage);
  all.set(stage, found);
  return found;
};

export const NO_HANDS: readonly OnCard[] = [];

/** What is drawn on a card beside its face. Reactive state for each card, so that a touch updates one card only. */
export class CardMarks {
  hands = $state.raw(NO_HANDS);
  /** Touched here, and not confirmed yet. */
  claimed = $state(false);
  /** It was no pair: set for a moment. */
  wrong = $state(false);
  /** The countdown of a tie. */
  count = $state<number | null>(null);
}

export class Touches {
  readonly hands = new HandPool();
  private readonly cards = new Map<number, CardMarks>();
  /** Cards with a confirmed hand, and cards with a countdown. */
  private readonly under = new Set<number>();
  private readonly counted = new Set<number>();
  /** Pointers that are down, by id, and their cards. */
  private readonly fingers = new Map<number, { card: number; since: number }>();
  /** When each card was touched here last, and when each face was first shown. */
  private readonly touched = new Map<number, number>();
  private readonly shown = new Map<string, number>();
  private looked: TwinitView | null = null;
  private readonly lifting = new Map<number, ReturnType<typeof setTimeout>>();
  /** Cards touched here and not confirmed yet. */
  private readonly claims = new Set<number>();
  private forgetting: ReturnType<typeof setTimeout> | undefined;
  private last: { card: number; at: number } | null = null;
  /** The faces of the own last error, for a moment. */
  mistaken = $state.raw<readonly string[] | null>(null);
  private comparing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly stage: Stage) {}

  private get view(): TwinitView {
    return this.stage.view as TwinitView;
  }

  /** A pointer is held down on a card. */
  get held(): boolean {
    return this.fingers.size > 0;
  }

  on(card: number): CardMarks {
    const found = this.cards.get(card);
    if (found) return found;
    const made = new CardMarks();
    this.cards.set(card, made);
    return made;
  }

  private mine(card: number): boolean {
    const seat = this.stage.seat;
    return this.claims.has(card) || (seat !== null && this.stage.view !== null && (this.view.hands[seat] ?? []).some((hand) => hand.card === card));
  }

  private claim(card: number): void {
    this.claims.add(card);
    this.on(card).claimed = true;
    this.placeHands();
  }

  private drop(card: number): void {
    if (!this.claims.delete(card)) return;
    this.on(card).claimed = false;
    this.placeHands();
  }

  /** Drops claims that were never confirmed. One timer for all: setting one takes as long as drawing a touch. */
  private readonly forget = (): void => {
    const late = performance.now() - UNSETTLED;
    for (const card of this.claims) if ((this.touched.get(card) ?? 0) <= late) this.drop(card);
    this.forgetting = this.claims.size > 0 ? setTimeout(this.forget, UNSETTLED) : undefined;
  };

  /** Updates the own hands: the confirmed ones, and those that are claimed. */
  private placeHands(): void {
    const seat = this.stage.seat;
    if (seat === null || this.stage.view === null) return; // a rematch is not dealt yet, and a hand was still to be lifted
    const settled = (this.view.hands[seat] ?? []).map(({ card, tied }): HandOnCard => ({ seat, card, tied, claimed: false }));
    const claimed = [...this.claims].filter((card) => settled.every((each) => each.card !== card));
    this.hands.put(seat, settled.concat(claimed.map((card) => ({ seat, card, tied: false, claimed: true }))));
  }

  /** A pointer goes down on a card. */
  down(card: number, finger: number): void {
    if (this.stage.seat === null || this.stage.starting || this.view.phase !== 'play') return;
    this.mistaken = null;
    const now = performance.now();
    const again = this.last !== null && this.last.card === card && now - this.last.at < TAP;
    this.last = { card, at: now };
    if (this.mine(card)) {
      this.lift(card);
      if (again && this.turns) this.stage.act(`turn ${card}`);
      return;
    }
    this.fingers.set(finger, { card, since: now });
    this.touched.set(card, now);
    this.claim(card);
    this.forgetting ??= setTimeout(this.forget, UNSETTLED);
    this.stage.act(`touch ${card}`);
  }

  up(finger: number): void {
    const rested = this.fingers.get(finger);
    if (!rested) return;
    this.fingers.delete(finger);
    if (performance.now() - rested.since > TAP) this.lift(rested.card);
    else this.liftLater(rested.card);
  }

  /** The pointer pans or zooms instead. */
  cancel(finger: number): void {
    const rested = this.fingers.get(finger);
    this.fingers.delete(finger);
    if (rested) this.lift(rested.card);
  }

  /** By keyboard or assistive technology. */
  tap(card: number): void {
    this.down(card, -1);
    this.up(-1);
  }

  turn(card: number): void {
    if (!this.turns || this.stage.starting) return;
    if (this.mine(card)) this.lift(card);
    this.stage.act(`turn ${card}`);
  }

  get turns(): boolean {
    return this.view.mode === 'coop' || this.view.mode === 'rush';
  }

  /** A new frame: drops confirmed claims, notes when faces were first shown, measures reactions. */
  settle(view: TwinitView, events: readonly TwinitEvent[]): void {
    const before = this.looked ?? view;
    this.look(view);
    if (this.stage.patient) this.mistaken = null;
    const on = handsOn(view);
    for (const card of this.under) if (!on.has(card)) this.on(card).hands = NO_HANDS;
    this.under.clear();
    for (const [card, hands] of on) {
      this.under.add(card);
      if (!alike(hands, this.on(card).hands)) this.on(card).hands = hands;
    }
    const own = this.stage.seat;
    view.hands.forEach((hands, seat) => seat !== own && this.hands.put(seat, hands.map((each) => ({ ...each, seat, claimed: false }))));
    if (own === null) return;
    for (const { card } of view.hands[own] ?? []) this.drop(card);
    this.placeHands();
    for (const event of events) {
      if ('cards' in event && 'seat' in event && event.seat === own) event.cards.forEach((card) => this.drop(card));
      if (event.event === 'erred' && event.seat === own) {
        this.shake(event.cards);
        this.compare(before, event.cards);
      }
      if ((event.event === 'caught' || event.event === 'stole' || event.event === 'tripled') && event.seat === own) this.measure(view, event.cards);
    }
  }

  /** Notes the faces that are shown for the first time. */
  private look(view: TwinitView): void {
    const { table, tops, taboo, catches } = view;
    const before = this.looked;
    if (this.stage.starting) return;
    if (before && table === before.table && tops === before.tops && taboo === before.taboo && catches === before.catches) return;
    this.looked = view;
    const now = performance.now();
    for (const face of openFaces(view)) if (!this.shown.has(face)) this.shown.set(face, now);
  }

  /** Updates the countdowns of ties, at a time of play. */
  countdown({ counts, count_ms }: TwinitView, time: number): void {
    const left = new Map(counts.flatMap(({ cards, until }) => cards.map((card) => [card, Math.max(1, Math.ceil((until - time) / (count_ms / 3)))] as const)));
    for (const card of this.counted) if (!left.has(card)) this.on(card).count = null;
    this.counted.clear();
    for (const [card, count] of left) {
      this.counted.add(card);
      this.on(card).count = count;
    }
  }

  /** In a lesson also an action that is `legal`, but not asked for. */
  refused(code: string, action: string): void {
    const card = Number(action.split(' ')[1]);
    this.drop(card);
    if (code !== 'no_pair' && code !== 'legal') return;
    this.shake([card]);
    if (code === 'legal') return;
    const other = this.view.hands[this.stage.seat ?? -1]?.find((hand) => hand.card !== card);
    if (other) this.compare(this.view, [other.card, card]);
  }

  /** Shows the faces of two cards side by side for a moment. */
  private compare(view: TwinitView, cards: readonly number[]): void {
    const faces = cards.slice(0, 2).flatMap((card) => openFaces(view).find((face) => faceCard(face) === card) ?? []);
    if (faces.length < 2) return;
    this.mistaken = faces;
    clearTimeout(this.comparing);
    if (this.stage.patient) return;
    this.comparing = setTimeout(() => (this.mistaken = null), COMPARED);
  }

  /** The reaction time of a catch: from when both faces were shown to when the first was touched. */
  private measure(view: TwinitView, cards: readonly number[]): void {
    const catches = view.catches.flat().find((each) => each.some((face) => faceCard(face) === cards[0])) ?? [];
    const seen = catches.map((face) => this.shown.get(face) ?? 0);
    const touched = cards.map((card) => this.touched.get(card)).filter((at) => at !== undefined);
    const ms = Math.min(...touched) - Math.max(...seen);
    if (touched.length > 0 && ms > 0 && this.stage.info && !this.stage.patient) storeReaction(this.stage.gameName, this.stage.info.game_id, view.mode, Math.round(ms));
  }

  private shake(cards: readonly number[]): void {
    for (const card of cards) this.on(card).wrong = true;
    setTimeout(() => cards.forEach((card) => (this.on(card).wrong = false)), 700);
  }

  private lift(card: number): void {
    clearTimeout(this.lifting.get(card));
    if (!this.mine(card) || this.stage.patient) return;
    this.drop(card);
    this.stage.act(`lift ${card}`);
  }

  private liftLater(card: number): void {
    clearTimeout(this.lifting.get(card));
    this.lifting.set(card, setTimeout(() => this.lift(card), LINGER[this.view.mode] ?? LINGER.race));
  }
}
