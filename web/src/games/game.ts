// What every game gives to the table, and all that the table knows of it. A game is a folder here:
// `box.ts` (small, on the shelf at home) and `index.ts` (loaded when its table opens), both found by
// looking into the folders.
import type { Component, Snippet } from 'svelte';
import type { Stage } from '$session/stage.svelte';
import type { Sound } from '$device/sounds';
import { shelf, themes } from './catalog';
import type { Cloth } from './themes.svelte';
import type { Says } from './themed-messages';

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
  /** A bid that was just missed. */
  missed?: { seat: number; bid: number; boxes: number };
  /** Something that all should have seen, told for a while beside the game: a round's end. */
  news?: readonly AnyEvent[];
  /** What the game itself remembers from picture to picture. */
  memory?: unknown;
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

type Chosen = Record<string, string | number>;

export interface OptionText {
  label: string;
  /** One sentence that says what it changes. */
  about: string;
  /** The values in words, where they are words; `with`: what else is proposed along with one, perhaps by the
   * options as they stand. */
  values: Record<string, { label: string; about: string; with?: Chosen | ((options: Readonly<Record<string, unknown>>) => Chosen) }>;
  /** A value in words, where it is a number. */
  shown?: (n: number) => string;
  /** The numbers to offer, by the options as they stand; without it: a few around the default. */
  numbers?: (options: Readonly<Record<string, unknown>>) => readonly number[];
  /** It is not in any rulebook: this house proposes it. */
  proposal?: true;
  /** Whether it is offered at all, by the options as they stand; without it: always. */
  when?: (options: Readonly<Record<string, unknown>>) => boolean;
}

/** What a tap on somebody's seat does. */
export interface SeatPick {
  label: string;
  run: () => void;
}

/** The box on the shelf. */
export interface Box {
  name: () => string;
  by: () => string;
  /** One sentence that makes one want to open it. */
  about: () => string;
  /** What somebody must know before sitting down who can't play it as others do. */
  note?: () => string;
  minutes: string;
  seats: readonly [number, number];
  cloth: Cloth;
  /** Which of its themes this is, if it has some. */
  theme?: string;
  /** Where it stands on the shelf. */
  order: number;
  /** Its page tells by the view what may be done, and wants no list of it. */
  unlisted?: true;
  Picture: Component;
  /** What can be played alone, without another click. */
  alone?: { label: () => string; options: Record<string, string | number> };
}

export interface RoundScores {
  label: string;
  /** By seat, after the round. */
  scores: readonly number[];
}

/** The game at the table. `V` and `E` are its view and its events. */
export interface GameClient<V extends AnyView = AnyView, E extends AnyEvent = AnyEvent> {
  /** Anybody may act at any moment: several actions may be on their way, nothing plays itself. */
  live?: boolean;
  /** There is no strong bot to ask. */
  hintless?: boolean;
  /** What an update looks like, picture by picture; the last shows the update's own view. `memory` is
   * what the last picture before it remembers. */
  frames(before: V | null, happened: Happening<V, E>, memory?: unknown): Frame<V, E>[];
  /** An update after which all is drawn as before, but for what the game moves by itself: how that is done;
   * null: it is a new picture. */
  slight?(stage: Stage, before: V, happened: Happening<V, E>): (() => void) | null;
  /** The table as the viewer's own action leaves it, shown before the server has said yes; null: that
   * can't be told beforehand. */
  preview(view: V, action: string): V | null;
  sentence(event: E, who: (seat: number) => Who): string;
  sound(event: E, own: number | null): Sound | null;
  /** Own cards, as they lie in the hand. */
  hand(view: V): readonly string[];
  /** Why a card can't be played, in words that fit this table; null: the server's words do. */
  reason(code: string, view: V): string | null;
  /** An action was refused, or came too late: what to say of it; null: nothing. Without it, `text`, the
   * server's words, is said. */
  refused?(stage: Stage, code: string, action: string, text: string): string | null;
  /** What is asked of the viewer now; null: nothing beyond playing a card. */
  prompt(view: V): string | null;
  /** For whom the table waits, and for what; null: for a card. */
  waits?(view: V, name: string): string | null;
  /** What an action would do, in words; without it, it is a card or a colour. */
  chosen?(action: string): string;
  /** What is said aloud with an event: a bubble at the seat. */
  spoken?(event: E): { seat: number; text: string } | null;
  /** What a tap on a seat does now; null: nothing. */
  pick?(stage: Stage, seat: number): SeatPick | null;
  /** Of a game with themes: where the theme's words for its sentences are. */
  speak?(says: Says): void;
  options(): Record<string, OptionText>;
  /** Another kind of rematch than the same again, on its button. */
  again?(kind: string): string;
  /** The points of each seat after each round, from all that happened; the view is the last one. */
  rounds(events: readonly E[], seats: number, view: V): RoundScores[];
  /** What decided the game, in a sentence. */
  outcome(view: V, who: (seat: number) => Who): string;
  /** What the result says above all, where a game that is played to its end has no winner. */
  ended?(view: V): string;
  /** Those who won did so as one side. */
  together?(view: V): boolean;
  score(view: V, seat: number): number;
  /** The unit of the score, for lists. */
  unit(n: number, view: V): string;
  /** What can always be looked up, in the corner: the round, the trump. */
  Strip: Component<{ stage: Stage }>;
  /** What lies in the middle. */
  Centre?: Component<{ stage: Stage }>;
  /** What a seat shows beside its name. */
  Plate?: Component<{ stage: Stage; seat: number; own: boolean }>;
  /** What is to be chosen beside a card: a trump, a box. */
  Choice?: Component<{ stage: Stage }>;
  /** The own hand, where a tap on a card does not simply play it. */
  Hand?: Component<{ stage: Stage; cards: readonly string[] }>;
  /** Buttons that are always there, in a row above the hand. */
  Controls?: Component<{ stage: Stage }>;
  /** All of the table below the header, where seats and hands are not at its edges. */
  Felt?: Component<{ stage: Stage; over?: Snippet; below?: Snippet }>;
  /** What is told after the game, beside the scores. */
  Epilogue?: Component<{ stage: Stage }>;
  /** What a seat holds, where backs differ. */
  Backs?: Component<{ stage: Stage; seat: number }>;
}

export { shelf };

const clients = import.meta.glob<{ game: GameClient }>('./*/index.ts');

/** Whether this client can play a game, beside showing its box. */
export const playable = (game: string): boolean => `./${game}/index.ts` in clients;

export async function open(game: string): Promise<GameClient> {
  const load = clients[`./${game}/index.ts`];
  if (!load) throw new Error(`no game ${game}`);
  const [{ game: client }] = await Promise.all([load(), themes.load(game)]);
  client.speak?.((word) => themes.says(game, word));
  return client;
}
