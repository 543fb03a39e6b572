// How near one looks at the table: by buttons, keys, a wheel or two fingers that part. Looked at from near,
// the table is moved by a finger that slides; a finger that only taps still touches a card.
import { tick } from 'svelte';

const MOST = 4;
const NEXT = 1.4;
const SLIDES = 12; // pixels: less is a finger that trembles
const PARTS = 28; // pixels by which two fingers come apart or together

interface Point {
  x: number;
  y: number;
}

const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

export class Zoom {
  level = $state(1);
  private readonly fingers = new Map<number, { from: Point; at: Point }>();
  private sliding = false;
  /** How far two fingers were apart when they came down, and a moment ago. */
  private span: { first: number; last: number } | null = null;

  /** `letGo`: a finger turned out to be there for that, and not for a card. */
  constructor(
    private readonly mat: () => HTMLElement | undefined,
    private readonly letGo: (finger: number) => void,
  ) {}

  nearer = (): void => this.by(NEXT);
  further = (): void => this.by(1 / NEXT);

  get nearest(): boolean {
    return this.level >= MOST;
  }

  /** So many times as near; what is at a point of the window stays there. */
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
    if (buttons === 0) return this.up(pointerId); // let go outside
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
    if (!event.ctrlKey) return; // that moves what is seen from near
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
