// What a table looks like from one seat at this moment: the live table and a replay both drive one, and
// all that is drawn reads it. Big values are raw: they are replaced, never changed in place.
import type { TableInfo } from '$generated/wire';
import type { AnyEvent, AnyView, Frame, GameClient, Marks, Who } from '../games/game';
import { m } from './i18n.svelte';

/** Names for bots, which the server does not name: from the kitchen, as the table is. */
const herbs = ['Basil', 'Olive', 'Saffron', 'Juniper', 'Clove', 'Sorrel', 'Thyme', 'Fennel'];

export interface Told {
  key: number;
  event: AnyEvent;
}

const NO_MARKS: Marks = {};

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
  /** The strong bot's opinion of own actions, by action: 0 to 1. */
  chances = $state.raw<Readonly<Record<string, number>> | null>(null);
  /** The action that was sent and not yet settled. */
  sent = $state.raw<string | null>(null);

  private told = 0;

  abstract act(action: string): void;
  abstract why(action: string): void;
  /** What waits to be shown is shown now. */
  abstract skip(): void;

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

  get myTurn(): boolean {
    return this.seat !== null && !this.busy && this.sent === null && this.legal.length > 0;
  }

  awaited(seat: number): boolean {
    return this.view?.awaited.includes(seat) ?? false;
  }

  nameOf(seat: number): string {
    const there = this.info?.seats[seat];
    if (there?.name) return there.name;
    if (!there || there.kind === 'empty') return m.seat_number({ n: seat + 1 });
    return herbs[(seat + (this.info?.number ?? 0)) % herbs.length] ?? '';
  }

  who = (seat: number): Who => ({ you: seat === this.seat, name: this.nameOf(seat) });

  sentence(event: AnyEvent): string {
    return this.game?.sentence(event, this.who) ?? '';
  }

  protected tell(events: readonly AnyEvent[]): void {
    if (events.length === 0) return;
    this.log = [...this.log, ...events.map((event) => ({ key: this.told++, event }))];
  }

  protected retell(events: readonly AnyEvent[]): void {
    this.log = events.map((event) => ({ key: this.told++, event }));
  }
}
