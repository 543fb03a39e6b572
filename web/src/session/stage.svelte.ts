// The state of what is shown, which the live table and a replay share and every component reads. Large values are
// raw state: they are replaced, never changed in place.
import type { TableInfo } from '$generated/wire';
import { chosen } from '$art/cards';
import { settings } from '$device/settings.svelte';
import type { AnyEvent, AnyView, FacePicture, Frame, GameClient, LogLine, Marks, Stage, Who } from '$games/game';
import { seatName } from './names';
import { spriteBackground } from './sprites';

const NO_MARKS: Marks = {};
/** Milliseconds for which a word of the game is shown: many come one after the other. */
const WORD_SHOWN = 2400;

export abstract class BaseStage implements Stage {
  game = $state.raw<GameClient | null>(null);
  info = $state.raw<TableInfo | null>(null);
  seat = $state.raw<number | null>(null);
  frame = $state.raw<Frame | null>(null);
  legal = $state.raw<readonly string[]>([]);
  busy = $state(false);
  log = $state.raw<readonly LogLine[]>([]);
  said = $state<Record<number, string>>({});
  spoken = $state<Record<number, string>>({});
  chances = $state.raw<Readonly<Record<string, number>> | null>(null);
  thinking = $state(false);
  sent = $state.raw<string | null>(null);
  picked = $state.raw<string | null>(null);
  clock = $state.raw<number | null>(null);
  sprites = $state.raw<Readonly<Record<string, string>>>({});
  raced = $state.raw<Stage['raced']>(null);
  starting = $state.raw<Stage['starting']>(null);
  readonly readOnly: boolean = false;
  /** Time of play minus this page's time. */
  protected offset = 0;
  /** When the table began to rest: its time stands still. */
  protected stopped: number | null = null;
  /** The name of the game, as far as this device knows it without the server. */
  protected expectedGame = '';
  private logged = 0;
  private readonly wordTimers: Record<number, ReturnType<typeof setTimeout>> = {};

  /** A session without turns to come has no premoves. */
  get premove(): string | null {
    return null;
  }

  get mayPremove(): boolean {
    return false;
  }

  get guarded(): boolean {
    return settings.guard;
  }

  get harmless(): boolean {
    return false;
  }

  get patient(): boolean {
    return false;
  }

  picture(face: string): FacePicture | null {
    return this.info ? spriteBackground(this.info.id, this.info.number, this.sprites[face]) : null;
  }

  abstract act(action: string): void;

  choosePremove(_card: string | null): void {
    // see `premove`
  }

  abstract explain(action: string): void;
  abstract skip(): void;

  notify(_text: string): void {
    // a replay has no messages
  }

  get gameName(): string {
    return this.info?.game ?? this.expectedGame;
  }

  get view(): AnyView | null {
    return this.frame?.view ?? null;
  }

  get marks(): Marks {
    return this.frame?.marks ?? NO_MARKS;
  }

  get seats(): number {
    return this.view?.seats ?? this.info?.seats.length ?? 0;
  }

  get others(): number[] {
    const first = this.seat ?? 0;
    const all = Array.from({ length: this.seats }, (_, i) => (first + i) % this.seats);
    return this.seat === null ? all : all.slice(1);
  }

  get audience(): number {
    return Math.max(0, (this.info?.spectators ?? 0) - (this.seat === null ? 1 : 0));
  }

  get standIn(): boolean {
    return this.seat !== null && (this.info?.seats[this.seat]?.stand_in ?? false);
  }

  get myTurn(): boolean {
    if (this.standIn || this.seat === null || !this.awaited(this.seat)) return false;
    return this.game?.live === true || (!this.busy && this.sent === null && this.legal.length > 0);
  }

  get best(): readonly [action: string, chance: number] | null {
    const all = Object.entries(this.chances ?? {});
    return all.length > 0 ? all.reduce((a, b) => (b[1] > a[1] ? b : a)) : null;
  }

  remaining(): number | null {
    return this.clock === null ? null : Math.max(0, this.clock - this.time());
  }

  time(): number {
    return (this.stopped ?? performance.now()) + this.offset;
  }

  awaited(seat: number): boolean {
    return this.view?.awaited.includes(seat) ?? false;
  }

  nameOf(seat: number): string {
    return seatName(this.info, seat);
  }

  who = (seat: number): Who => ({ you: seat === this.seat, name: this.nameOf(seat) });

  sentence = (event: AnyEvent): string => this.game?.sentence(event, this.who) ?? '';

  describeAction(action: string): string {
    return this.game?.chosen?.(action) ?? chosen(action);
  }

  /** The words that seats say with some events. */
  protected spokenWith(events: readonly AnyEvent[]): { seat: number; text: string }[] {
    return events.flatMap((event) => this.game?.spoken?.(event) ?? []);
  }

  protected showWords(events: readonly AnyEvent[]): void {
    for (const { seat, text } of this.spokenWith(events)) {
      this.spoken[seat] = text;
      clearTimeout(this.wordTimers[seat]);
      this.wordTimers[seat] = setTimeout(() => delete this.spoken[seat], WORD_SHOWN);
    }
  }

  protected appendLog(events: readonly AnyEvent[], n: number): void {
    if (events.length > 0) this.log = [...this.log, ...this.lines(events, n)];
  }

  /** Replaces the log up to an entry; lines of later entries stay. */
  protected replaceLog(events: readonly AnyEvent[], upto: number): void {
    this.log = [...this.lines(events, upto), ...this.log.filter(({ n }) => n > upto)];
  }

  private lines(events: readonly AnyEvent[], n: number): LogLine[] {
    return events.map((event) => ({ key: this.logged++, n, event }));
  }
}
