// What a table looks like from one seat at this moment: the live table and a replay both drive one, and
// all that is drawn reads it. Big values are raw: they are replaced, never changed in place.
import type { TableInfo } from '$generated/wire';
import type { AnyEvent, AnyView, Frame, GameClient, Marks, Who } from '$games/game';
import { chosen } from '$art/cards';
import { hash } from '$art/hash';
import { m } from '$device/i18n.svelte';

/** Names for bots, which the server does not name: from the kitchen, as the table is. */
const herbs = ['Basil', 'Olive', 'Saffron', 'Juniper', 'Clove', 'Sorrel', 'Thyme', 'Fennel'];

export interface Told {
  key: number;
  /** The entry of the table's journal with which it happened. */
  n: number;
  event: AnyEvent;
}

const NO_MARKS: Marks = {};

/** A herb, and never one of which a person here has the name. */
function botName({ id, seats }: TableInfo, seat: number): string {
  const first = hash(id);
  const names = herbs.map((_, i) => herbs[(i + first) % herbs.length] ?? '');
  const taken = (name: string) => seats.some((each) => each.name?.toLowerCase() === name.toLowerCase());
  const own = names[seat] ?? '';
  if (!taken(own)) return own;
  // Of those that no seat has, one for each that is taken.
  const others = names.slice(seats.length).filter((name) => !taken(name));
  return others[names.slice(0, seat).filter(taken).length] ?? own;
}

/** Who sits somewhere, in a word. */
export function seatName(info: TableInfo | null, seat: number): string {
  const there = info?.seats[seat];
  if (there?.name) return there.name;
  if (!there || there.kind === 'empty') return m.seat_number({ n: seat + 1 });
  return botName(info, seat);
}

export abstract class Stage {
  game = $state.raw<GameClient | null>(null);
  info = $state.raw<TableInfo | null>(null);
  seat = $state.raw<number | null>(null);
  frame = $state.raw<Frame | null>(null);
  /** What may be done now; nothing while something is still being shown. */
  legal = $state.raw<readonly string[]>([]);
  /** Something more is to be shown. */
  busy = $state(false);
  log = $state.raw<readonly Told[]>([]);
  /** A phrase that a seat just said. */
  said = $state<Record<number, string>>({});
  /** A word of the game that a seat just said aloud. */
  spoken = $state<Record<number, string>>({});
  /** The strong bot's opinion of own actions, by action: 0 to 1. */
  chances = $state.raw<Readonly<Record<string, number>> | null>(null);
  /** That opinion was asked for and is on its way. */
  thinking = $state(false);
  /** The action that was sent and not yet settled. */
  sent = $state.raw<string | null>(null);
  /** The card that was picked and waits for the second tap. */
  picked = $state.raw<string | null>(null);
  /** The time of play at which a bot decides for who is awaited; null: there is no clock. */
  clock = $state.raw<number | null>(null);
  /** Where faces are to be seen that only eyes can compare: a sheet and a field. */
  faces = $state.raw<Readonly<Record<string, string>>>({});
  /** Two seats went for the same thing: who was first, and by how many milliseconds. */
  raced = $state.raw<{ first: number; second: number; by: number } | null>(null);
  /** Time of play minus this page's time. */
  protected offset = 0;
  /** Since when the table rests: its time stands still. */
  protected stopped: number | null = null;

  /** All of it is over: it can be looked at, and nothing can be done. */
  readonly past: boolean = false;

  protected expected = '';

  private told = 0;

  abstract act(action: string): void;
  abstract why(action: string): void;
  /** What waits to be shown is shown now. */
  abstract skip(): void;

  /** A word to the viewer alone. */
  notify(_text: string): void {
    // who watches a replay needs none
  }

  /** The name of the game; known before the table tells it to who has sat here before. */
  get kind(): string {
    return this.info?.game ?? this.expected;
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

  /** The seats of the others, clockwise from the viewer's own; a spectator sits at seat 0. */
  get others(): number[] {
    const first = this.seat ?? 0;
    const all = Array.from({ length: this.seats }, (_, i) => (first + i) % this.seats);
    return this.seat === null ? all : all.slice(1);
  }

  /** How many others watch. */
  get audience(): number {
    return Math.max(0, (this.info?.spectators ?? 0) - (this.seat === null ? 1 : 0));
  }

  /** A bot plays for the viewer. */
  get standIn(): boolean {
    return this.seat !== null && (this.info?.seats[this.seat]?.stand_in ?? false);
  }

  get myTurn(): boolean {
    if (this.standIn || this.seat === null || !this.awaited(this.seat)) return false;
    return this.game?.live === true || (!this.busy && this.sent === null && this.legal.length > 0);
  }

  /** The action that the strong bot thinks best, with its chance. */
  get best(): readonly [action: string, chance: number] | null {
    const all = Object.entries(this.chances ?? {});
    return all.length > 0 ? all.reduce((a, b) => (b[1] > a[1] ? b : a)) : null;
  }

  /** Milliseconds that are left for a decision; null: as long as one likes. */
  remaining(): number | null {
    return this.clock === null ? null : Math.max(0, this.clock - this.time());
  }

  /** The time of play, as it is seen here. */
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

  sentence(event: AnyEvent): string {
    return this.game?.sentence(event, this.who) ?? '';
  }

  /** What an action would do, in words. */
  choiceOf(action: string): string {
    return this.game?.chosen?.(action) ?? chosen(action);
  }

  /** The words that were said with some events. */
  protected aloud(events: readonly AnyEvent[]): { seat: number; text: string }[] {
    return events.flatMap((event) => this.game?.spoken?.(event) ?? []);
  }

  protected tell(events: readonly AnyEvent[], n: number): void {
    if (events.length > 0) this.log = [...this.log, ...this.noted(events, n)];
  }

  /** All that happened up to an entry; what was told of later ones stays. */
  protected retell(events: readonly AnyEvent[], upto: number): void {
    this.log = [...this.noted(events, upto), ...this.log.filter(({ n }) => n > upto)];
  }

  private noted(events: readonly AnyEvent[], n: number): Told[] {
    return events.map((event) => ({ key: this.told++, n, event }));
  }
}
