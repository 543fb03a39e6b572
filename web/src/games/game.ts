// What every game gives to the table, and all that the table knows of it. A game is a folder here:
// `box.ts` (small, on the shelf at home) and `index.ts` (loaded when its table opens), both found by
// looking into the folders.
import type { Component } from 'svelte';
import type { Stage } from '$lib/stage.svelte';
import type { Sound } from '$lib/sounds';

export interface AnyEvent {
  event: string;
}

export interface AnyView {
  seat: number | null;
  seats: number;
  phase: string;
  turn: number | null;
  awaited: number[];
  winners: number[];
}

/** One picture of what happened. An update may need several: a full trick before it is gathered. */
export interface Frame<V = AnyView, E = AnyEvent> {
  view: V;
  /** What is told with this picture, in the log and to screen readers. */
  events: readonly E[];
  /** Milliseconds before the next picture. */
  hold: number;
  /** What is to be seen beside the view, for this picture alone; each game has its own marks. */
  marks: Marks;
}

export interface Marks {
  /** Who takes the trick that lies on the table. */
  taker?: number;
  /** Cards on the table that have cancelled each other. */
  cancelled?: readonly string[];
  /** Marshmallows on their way: to whom, and how many are still to come. */
  paying?: { seat: number; left: number };
  /** What seats lay open, and what of it counts. */
  reveal?: readonly { seat: number; cards: readonly string[]; unique: readonly number[] }[];
  /** The hands of all, face up: in an open replay alone. */
  hands?: readonly (readonly string[])[];
  /** Boxes just ticked. */
  ticked?: { seat: number; boxes: readonly number[] };
}

export interface Happening<V, E> {
  events: readonly E[];
  view: V;
}

/** Who did something, for sentences: you, or somebody by name. */
export interface Who {
  you: boolean;
  name: string;
}

export interface OptionText {
  label: string;
  /** One sentence that says what it changes. */
  about: string;
  /** The values in words, where they are words. */
  values: Record<string, { label: string; about: string }>;
}

/** The box on the shelf. */
export interface Box {
  name: () => string;
  by: () => string;
  /** One sentence that makes one want to open it. */
  about: () => string;
  minutes: string;
  seats: readonly [number, number];
  /** The cloth by day and by night, and the backs of the cards, which must stand out on both. */
  cloth: { light: string; dark: string; back: string };
  /** Where it stands on the shelf. */
  order: number;
  Picture: Component;
}

export interface RoundScores {
  label: string;
  /** By seat, after the round. */
  scores: readonly number[];
}

/** The game at the table. `V` and `E` are its view and its events. */
export interface GameClient<V extends AnyView = AnyView, E extends AnyEvent = AnyEvent> {
  /** What an update looks like, picture by picture; the last shows the update's own view. */
  frames(before: V | null, happened: Happening<V, E>): Frame<V, E>[];
  /** The table as the viewer's own action leaves it, shown before the server has said yes; null: that
   * can't be told beforehand. */
  preview(view: V, action: string): V | null;
  sentence(event: E, who: (seat: number) => Who): string;
  sound(event: E, own: number | null): Sound | null;
  /** Own cards, as they lie in the hand. */
  hand(view: V): readonly string[];
  /** Why a card can't be played, in words that fit this table; null: the server's words do. */
  reason(code: string, view: V): string | null;
  /** What is asked of the viewer now; null: nothing beyond playing a card. */
  prompt(view: V): string | null;
  options(): Record<string, OptionText>;
  /** The points of each seat after each round, from all that happened. */
  rounds(events: readonly E[], seats: number): RoundScores[];
  /** What decided the game, in a sentence. */
  outcome(view: V, who: (seat: number) => Who): string;
  score(view: V, seat: number): number;
  /** The unit of the score, for lists. */
  unit(n: number): string;
  /** What can always be looked up, in the corner: the round, the trump. */
  Strip: Component<{ stage: Stage }>;
  /** What lies in the middle. */
  Centre: Component<{ stage: Stage }>;
  /** What a seat shows beside its name. */
  Plate: Component<{ stage: Stage; seat: number; own: boolean }>;
  /** What is to be chosen beside a card: a trump, a box. */
  Choice: Component<{ stage: Stage }>;
}

const boxes = import.meta.glob<{ box: Box }>('./*/box.ts', { eager: true });
const clients = import.meta.glob<{ game: GameClient }>('./*/index.ts');

const folder = (path: string) => path.split('/')[1] ?? '';

/** All games on the shelf, by name. */
export const shelf: Record<string, Box> = Object.fromEntries(
  Object.entries(boxes)
    .map(([path, { box }]) => [folder(path), box] as const)
    .sort(([, a], [, b]) => a.order - b.order),
);

/** Whether this client can play a game, beside showing its box. */
export const playable = (game: string): boolean => `./${game}/index.ts` in clients;

export async function open(game: string): Promise<GameClient> {
  const load = clients[`./${game}/index.ts`];
  if (!load) throw new Error(`no game ${game}`);
  return (await load()).game;
}
