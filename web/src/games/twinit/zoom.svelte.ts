// Zoom and pan of the board: by buttons, keys, wheel or pinch. Zoomed in, a pointer that slides pans the board;
// one that only taps still touches a card.
import { tick } from 'svelte';
import type { Point } from './board-layout';

const MOST = 4;
const NEXT = 1.4;
const SLIDES = 12; // pixels: less is jitter
const PARTS = 28; // pixels by which two fingers move apart or together before it is a pinch

const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

export class Zoom {
  level = $state(1);
  private readonly fingers = new Map<number, { from: Point; at: Point }>();
  private sliding = false;
  /** The distance of two fingers when they went down, and at the last event. */
  private span: { first: number; last: number } | null = null;

  /** `letGo` cancels the touch of a pointer that turned out to pan or pinch. */
  constructor(
    private readonly mat: () => HTMLElement | undefined,
    private readonly letGo: (finger: number) => void,
  ) {}

  zoomIn = (): void => this.by(NEXT);
  zoomOut = (): void => this.by(1 / NEXT);

  get atMost(): boolean {
    return this.level >= MOST;
  }

  /** Multiplies the zoom; what is at a point of the window stays there. */
  by(factor: number, point?: Point): void {
    const mat = this.mat();
    if (!mat) return;
    const before = this.level;
    const wanted = Math.min(MOST, before * factor);
    this.level = wanted < 1.05 ? 1 : wanted;
    const grown = this.level / before;
    const box = mat.getBoundingClientRect();
    const x = point ? point.x - box.left : box.width / 2;
    const y = point ? point.y - box.top : box.height / 2;
    const left = (mat.scrollLeft + x) * grown - x;
    const top = (mat.scrollTop + y) * grown - y;
    void tick().then(() => mat.scrollTo(left, top));
  }

  down({ pointerId, clientX: x, clientY: y }: PointerEvent): void {
    this.fingers.set(pointerId, { from: { x, y }, at: { x, y } });
    const [one, other] = [...this.fingers.values()];
    const span = one && other ? apart(one.at, other.at) : 0;
    this.span = span > 0 ? { first: span, last: span } : null;
  }

  move({ pointerId, buttons, clientX: x, clientY: y }: PointerEvent): void {
    const finger = this.fingers.get(pointerId);
    if (!finger) return;
    if (buttons === 0) return this.up(pointerId); // released outside the window
    const last = finger.at;
    finger.at = { x, y };
    if (this.span) this.pinch(this.span);
    else if (this.level > 1 && (this.sliding || apart(finger.from, finger.at) > SLIDES)) {
      if (!this.sliding) this.letGo(pointerId);
      this.sliding = true;
      this.mat()?.scrollBy(last.x - x, last.y - y);
    }
  }

  up(finger: number): void {
    this.fingers.delete(finger);
    this.span = null;
    if (this.fingers.size === 0) this.sliding = false;
  }

  wheel(event: WheelEvent): void {
    if (!event.ctrlKey) return; // the wheel alone scrolls
    event.preventDefault();
    this.by(Math.exp(-event.deltaY / 200), { x: event.clientX, y: event.clientY });
  }

  private pinch(span: { first: number; last: number }): void {
    const [one, other] = [...this.fingers.values()];
    if (!one || !other) return;
    const now = apart(one.at, other.at);
    if (!this.sliding && Math.abs(now - span.first) < PARTS) return;
    if (!this.sliding) for (const finger of this.fingers.keys()) this.letGo(finger);
    this.sliding = true;
    this.by(now / span.last, between(one.at, other.at));
    span.last = now;
  }
}
