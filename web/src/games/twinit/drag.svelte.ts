// Moving cards on the board, in coop and rush: dragged by finger or mouse, or carried by keys. A pointer that goes
// down touches the card at once; only if it then moves on is the card dragged.
import type { TwinitView } from '$generated/wire';
import { duration } from '$layout/motion';
import type { Stage } from '../game';
import { faceCard } from './faces';
import { PLACES, type BoardLayout, type Point } from './board-layout';

const HOLDS = 300; // milliseconds: zoomed in, a pointer that moves on sooner pans the board
const LEAST = 14; // pixels: less is jitter
const PART = 0.35; // of a card, before it is dragged
const NEAR = 10; // pixels, zoomed in: less than panning needs
const GLIDE = 220;

export class Drag {
  /** The card that is being moved, and the free place on which it would be dropped. */
  card = $state.raw<number | null>(null);
  target = $state.raw<number | null>(null);
  /** Moved by keys: places are chosen one by one. */
  keyed = $state.raw(false);
  private finger: { id: number; card: number; from: Point; since: number } | null = null;
  private tile: HTMLElement | null = null;
  private by: Point = { x: 0, y: 0 };
  /** Where a card was dropped, from where it glides to its place. */
  private left: (Point & { card: number }) | null = null;
  private seen: BoardLayout | null = null;

  /** `letGo` cancels the touch of a pointer that turned out to drag. */
  constructor(
    private readonly stage: () => Stage,
    private readonly sheet: () => HTMLElement | undefined,
    private readonly zoomed: () => boolean,
    private readonly letGo: (finger: number) => void,
  ) {}

  private get view(): TwinitView {
    return this.stage().view as TwinitView;
  }

  /** Whether the viewer may move cards. */
  get possible(): boolean {
    const { seat, readOnly, view } = this.stage();
    if (seat === null || readOnly || view?.phase !== 'play') return false;
    return this.view.mode === 'coop' || this.view.mode === 'rush';
  }

  /** The places without a card. */
  get free(): number[] {
    const taken = new Set(this.view.table.map((each) => each.place));
    return Array.from({ length: PLACES }, (_, place) => place).filter((place) => !taken.has(place));
  }

  /** The current layout of the board. */
  look(seen: BoardLayout): void {
    this.seen = seen;
  }

  down({ pointerId: id, clientX: x, clientY: y }: PointerEvent, card: number | null): void {
    const alone = this.finger === null;
    if (this.card !== null && !this.keyed) return;
    this.stop();
    this.finger = card !== null && alone && this.possible && this.lies(card) ? { id, card, from: { x, y }, since: performance.now() } : null;
  }

  /** Whether the pointer drags a card. */
  move({ pointerId, clientX: x, clientY: y, buttons }: PointerEvent): boolean {
    const finger = this.finger;
    if (finger?.id !== pointerId) return false;
    if (buttons === 0) return this.up(pointerId); // released outside the window
    const by = { x: x - finger.from.x, y: y - finger.from.y };
    if (this.card === null) {
      const zoomed = this.zoomed();
      if (Math.hypot(by.x, by.y) < (zoomed ? NEAR : Math.max(LEAST, PART * (this.seen?.card ?? 0)))) return false;
      if (zoomed && performance.now() - finger.since < HOLDS) this.finger = null;
      else this.take(finger.card, finger.id);
    }
    if (this.card === null || !this.tile) return false;
    this.by = by;
    this.tile.style.translate = `${by.x}px ${by.y}px`;
    const box = this.sheet()?.getBoundingClientRect();
    this.target = (box && this.seen?.nearest({ x: x - box.left, y: y - box.top }, this.free)) ?? null;
    return true;
  }

  /** Whether a card was dropped. */
  up(id: number): boolean {
    if (this.finger?.id !== id) return false;
    const dragged = this.card !== null;
    this.finger = null;
    if (dragged) this.put(this.target);
    return dragged;
  }

  cancel(id: number): boolean {
    if (this.finger?.id === id) this.target = null;
    return this.up(id);
  }

  private take(card: number, finger: number): void {
    this.letGo(finger);
    this.card = card;
    this.tile = this.tileOf(card);
    if (this.tile) this.tile.dataset['carried'] = '';
  }

  /** By keys: picks a card up, for a place to be chosen. */
  carry(card: number): void {
    if (!this.possible || !this.lies(card) || this.view.hands.some((hands) => hands.some((hand) => hand.card === card))) return;
    this.stop();
    this.card = card;
    this.keyed = true;
  }

  /** Drops the card on a place; null: it glides back. */
  put(place: number | null): void {
    const { card, tile, by } = this;
    const there = card !== null && this.lies(card);
    this.stop();
    if (there && place !== null) {
      this.left = tile && { card, ...by };
      this.stage().act(`move ${card} to ${place}`);
    } else if (tile) glide(tile, by);
  }

  /** Ends the move without dropping the card. */
  stop(): void {
    if (this.tile) {
      this.tile.style.translate = '';
      delete this.tile.dataset['carried'];
    }
    this.tile = null;
    this.card = this.target = null;
    this.keyed = false;
  }

  /** A card was moved: it glides from where it lay, or from where it was dropped. */
  came(card: number, was: Point, now: Point): void {
    const { x, y } = this.left?.card === card ? this.left : { x: 0, y: 0 };
    if (this.left?.card === card) this.left = null;
    const tile = this.tileOf(card);
    if (tile) glide(tile, { x: was.x - now.x + x, y: was.y - now.y + y });
  }

  private lies(card: number): boolean {
    return this.view.table.some(({ face }) => faceCard(face) === card);
  }

  private tileOf(card: number): HTMLElement | null {
    return this.sheet()?.querySelector<HTMLElement>(`[data-card="${card}"]`) ?? null;
  }
}

function glide(tile: HTMLElement, { x, y }: Point): void {
  tile.animate([{ translate: `${x}px ${y}px`, zIndex: 3 }, { translate: '0 0', zIndex: 3 }], { duration: duration(GLIDE), easing: 'ease-out' });
}
