// A queue of frames, each shown for the time it asks for: bots never outrun what a player can follow. Knows nothing
// of games; the clock is a parameter, so that tests need not wait.
export interface Held {
  /** Milliseconds before the next frame may be shown. */
  hold: number;
}

export interface Clock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

export const realTime: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** With so many frames of later updates queued, all are shown faster: a page that was in the background catches up. One
 * update alone may have as many, such as the end of a round, and is shown at its own pace. */
const MANY = 12;

/** Milliseconds for which a frame is shown though something urgent waits behind it. */
const LEAST = 2200;

export class Pacer<F extends Held> {
  private queue: { frame: F; push: number }[] = [];
  private pushes = 0;
  private free = 0;
  /** When the current frame was shown. */
  private since = 0;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly show: (frame: F, last: boolean) => void,
    private readonly speed: () => number = () => 1,
    private readonly clock: Clock = realTime,
  ) {}

  /** Whether frames are waiting. */
  get busy(): boolean {
    return this.queue.length > 0;
  }

  /** `urgent`: the current frame is shown for no more than `LEAST` milliseconds. */
  push(frames: readonly F[], urgent = false): void {
    this.pushes++;
    this.queue.push(...frames.map((frame) => ({ frame, push: this.pushes })));
    if (urgent) this.free = Math.min(this.free, this.since + LEAST * this.speed());
    this.next();
  }

  /** Ends the time of the current frame. */
  skip(): void {
    this.free = 0;
    this.next();
  }

  /** Drops all waiting frames: a newer state than all of them is known. */
  clear(): void {
    this.cancel?.();
    this.cancel = null;
    this.queue = [];
    this.free = 0;
  }

  private next(): void {
    this.cancel?.();
    this.cancel = null;
    while (this.queue.length > 0) {
      const wait = this.free - this.clock.now();
      if (wait > 0) {
        this.cancel = this.clock.after(wait, () => this.next());
        return;
      }
      const { frame, push } = this.queue.shift() as { frame: F; push: number };
      const behind = this.queue.filter((each) => each.push > push).length;
      const hurry = behind >= MANY ? 0.25 : 1;
      this.since = this.clock.now();
      this.free = this.since + frame.hold * this.speed() * hurry;
      this.show(frame, this.queue.length === 0);
    }
  }
}
