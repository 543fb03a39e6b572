// A finished game, picture by picture: the same pictures that were seen at the table.
import type { Replay, Update } from '$generated/wire';
import { open, type AnyEvent, type AnyView, type Frame, type GameClient } from '$games/game';
import * as api from '$net/api';
import { Stage } from './stage.svelte';

/** Milliseconds for a picture of a game that ran in real time. */
const LIVE = 900;

/** Where the updates of a finished game come from. */
export type ReplaySource = (seat: number | null) => Promise<Replay>;

export const fromServer =
  (table: string, game: number): ReplaySource =>
  (seat) =>
    api.replay(table, game, seat);

function picturesOf(game: GameClient, updates: readonly Update[]): Frame[] {
  let before: AnyView | null = null;
  let memory: unknown;
  return updates.flatMap((update) => {
    const view = update.view as AnyView;
    const frames = game.frames(before, { events: update.events as readonly AnyEvent[], view }, memory);
    before = view;
    memory = frames.at(-1)?.marks.memory;
    return frames;
  });
}

export class ReplayStage extends Stage {
  override readonly past = true;
  at = $state(0);
  playing = $state(false);
  frames = $state.raw<readonly Frame[]>([]);
  /** The code of what is in the way: the game may be running still, or never have been. */
  problem = $state<string | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly source: ReplaySource) {
    super();
  }

  get length(): number {
    return this.frames.length;
  }

  /** From another seat, at the same moment; null: with all hands open. */
  async look(seat: number | null): Promise<void> {
    try {
      const { table, updates, faces } = await this.source(seat);
      this.faces = faces;
      const game = await open(table.game);
      const frames = picturesOf(game, updates);
      this.game = game;
      this.info = { ...table, seats: table.seats.map((each) => ({ ...each, connected: true, stand_in: false })) };
      this.seat = seat;
      this.frames = seat === null ? await this.opened(game, frames, table.seats.length) : frames;
      this.go(this.at);
    } catch (error) {
      this.problem = error instanceof api.Failure ? error.code : 'failed';
    }
  }

  /** What an onlooker saw, with every hand as its owner saw it. */
  private async opened(game: GameClient, frames: Frame[], seats: number): Promise<Frame[]> {
    const all = await Promise.all(Array.from({ length: seats }, (_, seat) => this.source(seat)));
    const own = all.map(({ updates }) => picturesOf(game, updates));
    return frames.map((frame, i) => {
      const hands = own.map((each) => (each[i] ? game.hand(each[i].view) : []));
      return { ...frame, marks: { ...frame.marks, hands } };
    });
  }

  go(to: number): void {
    this.at = Math.max(0, Math.min(this.frames.length - 1, to));
    this.frame = this.frames[this.at] ?? null;
    this.spoken = Object.fromEntries(this.aloud(this.frame?.events ?? []).map(({ seat, text }) => [seat, text]));
    this.retell(this.frames.slice(0, this.at + 1).flatMap((each) => each.events), Infinity);
    if (this.at >= this.frames.length - 1) this.pause();
  }

  play(): void {
    if (this.at >= this.frames.length - 1) this.at = 0;
    this.playing = true;
    this.later();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  act(): void {
    // What is over can't be played again.
  }

  why(): void {
    // Nor asked about.
  }

  skip(): void {
    this.go(this.at + 1);
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.go(this.at + 1);
      if (this.playing) this.later();
    }, Math.max(this.game?.live ? LIVE : 120, this.frame?.hold ?? 300));
  }
}
