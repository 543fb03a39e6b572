// Shows one picture after the other, each for as long as it needs: bots never outrun a trick that can
// be read. Knows nothing of games; time comes in from outside so that tests need not wait.
export interface Held {
  /** Milliseconds for which it is to be seen before the next one may come. */
  hold: number;
}

export interface Time {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

export const realTime: Time = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** So many pictures behind, all go faster: who was away is not held up. */
const MANY = 12;

export class Pacer<F extends Held> {
  private queue: F[] = [];
  private free = 0;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly show: (frame: F, last: boolean) => void,
    private readonly speed: () => number = () => 1,
    private readonly time: Time = realTime,
  ) {}

  /** Whether something is still to be shown. */
  get busy(): boolean {
    return this.queue.length > 0;
  }

  push(frames: readonly F[]): void {
    this.queue.push(...frames);
    this.next();
  }

  /** On with it: what is waiting is shown now. */
  skip(): void {
    this.free = 0;
    this.next();
  }

  /** All that waits is forgotten: something newer than all of it is known. */
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
      const wait = this.free - this.time.now();
      if (wait > 0) {
        this.cancel = this.time.after(wait, () => this.next());
        return;
      }
      const frame = this.queue.shift() as F;
      const hurry = this.queue.length >= MANY ? 0.25 : 1;
      this.free = this.time.now() + frame.hold * this.speed() * hurry;
      this.show(frame, this.queue.length === 0);
    }
  }
}
