// The replay of a finished game, frame by frame: the same frames that were shown at the table.
import type { Replay, Update } from '$generated/wire';
import { settings } from '$device/settings.svelte';
import type { AnyEvent, AnyView, Frame, GameClient, LogLine, Who } from '$games/game';
import * as api from '$net/api';
import { loadGame } from './outside-games';
import { chapters, firstCard, lastTold, neighbour, roundAt, trickEnds } from './replay-index';
import { BaseStage } from './stage.svelte';

/** The least time for a frame of a real-time game, in milliseconds. */
const LIVE_HOLD = 900;

/** Where the updates of a finished game come from. */
export type ReplaySource = (seat: number | null) => Promise<Replay>;

export const fromServer =
  (table: string, game: number): ReplaySource =>
  (seat) =>
    api.replay(table, game, seat);

function framesOf(game: GameClient, updates: readonly Update[]): Frame[] {
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

export class ReplayStage extends BaseStage {
  override readonly readOnly = true;
  at = $state(0);
  playing = $state(false);
  frames = $state.raw<readonly Frame[]>([]);
  /** Why there is no replay, as a code: the game may be still running, or unknown. */
  problem = $state<string | null>(null);
  private opened = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The rounds of the game, by the frames in which they are dealt. */
  readonly chapters = $derived(chapters(this.frames));
  private readonly tricks = $derived(trickEnds(this.frames));
  /** All lines of the log, each with its frame. */
  readonly allLines: readonly LogLine[] = $derived(
    this.frames.flatMap(({ events }, at) => events.map((event, i) => ({ key: at * 1000 + i, n: at, event, at }))),
  );
  /** What happened last, in words. */
  readonly caption = $derived(lastTold(this.frames, this.at).map((event) => this.sentence(event)).filter(Boolean).join(' '));
  readonly round = $derived(roundAt(this.chapters, this.at));

  constructor(
    private readonly source: ReplaySource,
    /** The seat that the viewer had in this game; null: the viewer was not there, and is not "you". */
    private readonly own: number | null = null,
    /** The frame at which it opens; null: on the first card. */
    private readonly start: number | null = null,
  ) {
    super();
  }

  override who = (seat: number): Who => ({ you: seat === this.own, name: this.nameOf(seat) });

  get length(): number {
    return this.frames.length;
  }

  /** Shows the game from a seat, at the same frame; null: with all hands open. */
  async showFrom(seat: number | null): Promise<void> {
    try {
      const { table, updates, faces } = await this.source(seat);
      this.sprites = faces;
      const game = await loadGame(table.game);
      const frames = framesOf(game, updates);
      this.game = game;
      this.info = { ...table, seats: table.seats.map((each) => ({ ...each, connected: true, stand_in: false })) };
      this.seat = seat;
      this.frames = seat === null ? await this.withOpenHands(game, frames, table.seats.length) : frames;
      this.seek(this.opened ? this.at : (this.start ?? firstCard(this.frames)));
      this.opened = true;
    } catch (error) {
      this.problem = error instanceof api.ApiError ? error.code : 'failed';
    }
  }

  /** The spectator's frames with the hand of each seat, taken from that seat's frames. */
  private async withOpenHands(game: GameClient, frames: Frame[], seats: number): Promise<Frame[]> {
    const all = await Promise.all(Array.from({ length: seats }, (_, seat) => this.source(seat)));
    const own = all.map(({ updates }) => framesOf(game, updates));
    return frames.map((frame, i) => {
      const hands = own.map((each) => (each[i] ? game.hand(each[i].view) : []));
      return { ...frame, marks: { ...frame.marks, hands } };
    });
  }

  seek(to: number): void {
    this.at = Math.max(0, Math.min(this.frames.length - 1, to));
    this.frame = this.frames[this.at] ?? null;
    this.spoken = Object.fromEntries(this.spokenWith(this.frame?.events ?? []).map(({ seat, text }) => [seat, text]));
    this.replaceLog(this.frames.slice(0, this.at + 1).flatMap((each) => each.events), Infinity);
    if (this.at >= this.frames.length - 1) this.pause();
  }

  /** Goes to the round or the trick before or after this one. */
  jump(to: 'round' | 'trick', step: 1 | -1): void {
    const stops = to === 'round' ? this.chapters.map(({ at }) => at) : this.tricks;
    this.seek(neighbour(stops, this.at, step, this.frames.length - 1));
  }

  play(): void {
    if (this.at >= this.frames.length - 1) this.at = 0;
    this.playing = true;
    this.scheduleNext();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  act(): void {
    // a finished game takes no actions
  }

  explain(): void {
    // nor explains them
  }

  skip(): void {
    this.seek(this.at + 1);
  }

  private scheduleNext(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.seek(this.at + 1);
      if (this.playing) this.scheduleNext();
    }, Math.max(this.game?.live ? LIVE_HOLD : 120, this.frame?.hold ?? 300) / settings.replaySpeed);
  }
}
