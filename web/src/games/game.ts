// The contract between a game and the rest of the client: what every game gives (`GameClient`, `Box`), and all that
// its components may know of the session in which it is shown (`Stage`). Types alone; imports no game.
import type { Component, Snippet } from 'svelte';
import type { GameInfo, GameTable, Raced, TableInfo } from '$generated/wire';
import type { Suit } from '$art/cards';
import type { Sound } from '$device/sounds';
import type { ThemeTextLookup } from './themed-messages';

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

/** One state of the screen. An update may need several: a full trick before it is gathered. */
export interface Frame<V = AnyView, E = AnyEvent> {
  view: V;
  /** The events told with this frame, in the log and to screen readers. */
  events: readonly E[];
  /** Milliseconds before the next frame. */
  hold: number;
  /** What is shown beside the view, in this frame alone; each game has its own marks. */
  marks: Marks;
}

export interface Marks {
  /** The seat that takes the trick on the table. */
  taker?: number;
  /** Cards on the table that have cancelled each other. */
  cancelled?: readonly string[];
  /** Marshmallows on their way: to which seat, and how many are still to come. */
  paying?: { seat: number; left: number; points: number };
  /** Revealed cards by seat, and the values among them that count. */
  reveal?: readonly { seat: number; cards: readonly string[]; unique: readonly number[] }[];
  /** All hands, face up: only in an open replay. */
  hands?: readonly (readonly string[])[];
  /** Boxes just ticked. */
  ticked?: { seat: number; boxes: readonly number[] };
  /** A bid that was just missed. */
  missed?: { seat: number; bid: number; boxes: number };
  /** Events shown for a while beside the game, such as the end of a round. */
  news?: readonly AnyEvent[];
  /** The round is over, and not the game: how it ended is shown beside the view. */
  roundEnd?: true;
  /** State that the game carries from frame to frame. */
  memory?: unknown;
}

/** What an update brings: events, and the view after them. */
export interface Happening<V, E> {
  events: readonly E[];
  view: V;
}

/** The subject of a sentence: you, or a player by name. */
export interface Who {
  you: boolean;
  name: string;
}

export interface LogLine {
  key: number;
  /** The journal entry with which it happened. */
  n: number;
  event: AnyEvent;
  /** The frame of a replay in which it is told. */
  at?: number;
}

/** A game that is dealt and has not started: the pages of all players load its pictures, then count down. */
export interface Starting {
  /** The seats whose pictures are awaited. */
  waitsFor: readonly number[];
  /** When it starts, by this page's time; null: that is not known yet. */
  at: number | null;
  /** Which part of the pictures this page has, 0 to 1. */
  loaded(): number;
}

/** The CSS background of a square element that shows a face. */
export interface FacePicture {
  image: string;
  position: string;
  size: string;
}

/** A table as it is shown from one seat, live or in a replay. */
export interface Stage {
  readonly game: GameClient | null;
  readonly info: TableInfo | null;
  readonly seat: number | null;
  readonly frame: Frame | null;
  /** The legal actions; empty while frames are still to be shown. */
  readonly legal: readonly string[];
  /** More frames are to be shown. */
  readonly busy: boolean;
  readonly log: readonly LogLine[];
  /** The chat phrase that a seat just sent. */
  readonly said: Readonly<Record<number, string>>;
  /** The word of the game that a seat just said. */
  readonly spoken: Readonly<Record<number, string>>;
  /** A hint: the strong bot's estimate for each legal action, 0 to 1. */
  readonly chances: Readonly<Record<string, number>> | null;
  /** A hint was requested and has not arrived. */
  readonly thinking: boolean;
  /** The action that was sent last and is not acknowledged. */
  readonly sent: string | null;
  /** The card that was picked and waits for the second tap. */
  picked: string | null;
  /** The card that is to be played when it is the viewer's turn. */
  readonly premove: string | null;
  /** Whether a card can be chosen for the viewer's next turn now. */
  readonly mayPremove: boolean;
  /** The time of play at which a bot decides for the awaited seat; null: there is no clock. */
  readonly clock: number | null;
  /** Sprites of faces that only eyes can compare, as "sheet.index". */
  readonly sprites: Readonly<Record<string, string>>;
  /** Two seats went for the same thing: which was first, and by how many milliseconds. */
  readonly raced: Pick<Raced, 'first' | 'second' | 'by'> | null;
  /** In games with a common start, until then; null: the game runs, and time with it. */
  readonly starting: Starting | null;
  /** A card is picked by the first tap and played by the second. */
  readonly guarded: boolean;
  /** An action that was not meant does no harm, so none is held back to ask whether it was. */
  readonly harmless: boolean;
  /** What a player does step by step stays until it is done: a hand is not lifted by itself. */
  readonly patient: boolean;
  /** What a face shows, where that is for the eyes; null: it is not known yet. */
  picture(face: string): FacePicture | null;
  /** A finished game: nothing can be done. */
  readonly readOnly: boolean;
  /** The name of the game; known before the server tells it if this device has a seat here. */
  readonly gameName: string;
  readonly view: AnyView | null;
  readonly marks: Marks;
  readonly seats: number;
  /** The other seats, clockwise from the viewer's own; a spectator sees from seat 0. */
  readonly others: number[];
  /** How many others watch. */
  readonly audience: number;
  /** A bot plays for the viewer. */
  readonly standIn: boolean;
  readonly myTurn: boolean;
  /** The action with the highest chance in the hint. */
  readonly best: readonly [action: string, chance: number] | null;
  act(action: string): void;
  /** Chooses the card to be played when it is the viewer's turn; null: none any more. */
  choosePremove(card: string | null): void;
  /** Asks the server why an action is not legal. */
  explain(action: string): void;
  /** Ends the time of the current frame. */
  skip(): void;
  /** Shows a message to the viewer. */
  notify(text: string): void;
  /** Milliseconds left for a decision; null: no limit. */
  remaining(): number | null;
  /** The time of play. */
  time(): number;
  awaited(seat: number): boolean;
  nameOf(seat: number): string;
  who: (seat: number) => Who;
  sentence(event: AnyEvent): string;
  /** What an action would do, in words. */
  describeAction(action: string): string;
}

type OptionValues = Record<string, string | number>;

export interface OptionText {
  label: string;
  /** One sentence that says what it changes. */
  about: string;
  /** The values that are words; `with`: what is set along with one, perhaps depending on the current options. */
  values: Record<string, { label: string; about: string; with?: OptionValues | ((options: Readonly<Record<string, unknown>>) => OptionValues) }>;
  /** The label of a value that is a number. */
  shown?: (n: number) => string;
  /** The numbers to offer, depending on the current options; without it: a few around the default. */
  numbers?: (options: Readonly<Record<string, unknown>>) => readonly number[];
  /** In no rulebook: a proposal of this project. */
  proposal?: true;
  /** Whether it is offered, depending on the current options; without it: always. */
  when?: (options: Readonly<Record<string, unknown>>) => boolean;
}

/** What a tap on a seat does. */
export interface SeatPick {
  label: string;
  run: () => void;
}

/** Colours of the table cloth by day and by night, of the card backs, which must stand out on both, and of text on
 * the cloth, where that can't be light. */
export interface Cloth {
  light: string;
  dark: string;
  back: string;
  ink?: string;
}

/** The game's box on the home page. */
export interface Box {
  name: () => string;
  by: () => string;
  /** One inviting sentence. */
  about: () => string;
  /** What players must know beforehand who can't play it as others do. */
  note?: () => string;
  minutes: string;
  seats: readonly [number, number];
  cloth: Cloth;
  /** The default theme, if the game has themes. */
  theme?: string;
  /** Its position on the home page. */
  order: number;
  /** Its page derives from the view what is legal: the server need not list it. */
  unlisted?: true;
  Picture?: Component;
  /** Of a game from outside: the picture that is drawn from its name and suits. */
  drawn?: { name: string; suits: readonly string[]; Picture: Component<{ name: string; suits: readonly string[] }> };
  /** What can be played alone, without another click. */
  alone?: { label: () => string; options: Record<string, string | number> };
}

export interface RoundScores {
  label: string;
  /** By seat, after the round. */
  scores: readonly number[];
}

/** A game from outside, as the server describes it: this client has no code of its own for it. */
export interface Described {
  info: GameInfo;
  table: GameTable;
}

/** The game at the table. `V` and `E` are its view and its events. */
export interface GameClient<V extends AnyView = AnyView, E extends AnyEvent = AnyEvent> {
  /** Real time: any seat may act at any moment, several actions may be pending, nothing is played automatically. */
  live?: boolean;
  /** There is no strong bot to give hints. */
  hintless?: boolean;
  /** The frames of an update; the last shows the update's own view. `memory` is that of the frame before. */
  frames(before: V | null, happened: Happening<V, E>, memory?: unknown): Frame<V, E>[];
  /** For an update that needs no new frame: how the game applies it to what is drawn; null: it needs one. */
  updateInPlace?(stage: Stage, before: V, happened: Happening<V, E>): (() => void) | null;
  /** The optimistic view after the viewer's own action, shown before the server has answered; null: it can't be
   * predicted. */
  preview(view: V, action: string): V | null;
  sentence(event: E, who: (seat: number) => Who): string;
  sound(event: E, own: number | null): Sound | null;
  /** The viewer's cards, in the order of the hand. */
  hand(view: V): readonly string[];
  /** Why a card can't be played, in words that fit this table; null: the server's text does. */
  reason(code: string, view: V): string | null;
  /** What to say of an action that was refused or came too late; null: nothing. Without it the server's `text` is
   * said. */
  refused?(stage: Stage, code: string, action: string, text: string): string | null;
  /** The suits in the emblem on the cloth; without it, the five colours. */
  suits?: readonly Suit[];
  /** What is asked of the viewer now; null: nothing beyond playing a card. */
  prompt(view: V): string | null;
  /** What the table waits for from a player; null: for a card. */
  waits?(view: V, name: string): string | null;
  /** What an action would do, in words; without it, it is a card or a colour. */
  chosen?(action: string): string;
  /** What a tap on a card of the hand does; without it, the card is played. */
  touch?(card: string, legal: readonly string[]): string;
  /** An action of the page as the rules list it, where the page says more than they do. */
  listed?(action: string): string;
  /** What a seat says with an event, in a bubble. */
  spoken?(event: E): { seat: number; text: string } | null;
  /** What a tap on a seat does now; null: nothing. */
  pick?(stage: Stage, seat: number): SeatPick | null;
  /** Of a game with themes: where to look up a theme's texts. */
  useThemeTexts?(lookup: ThemeTextLookup): void;
  options(): Record<string, OptionText>;
  /** The fewest seats with these options, where that depends on them. */
  leastSeats?(options: Readonly<Record<string, unknown>>): number;
  /** The label of a kind of rematch other than the same again. */
  again?(kind: string): string;
  /** The scores after each round, from all events; the view is the last one. */
  rounds(events: readonly E[], seats: number, view: V): RoundScores[];
  /** What decided a round, and what comes next, from its events; empty: nothing special. */
  roundEnd?(events: readonly E[], sentence: (event: E) => string, who: (seat: number) => Who): { why: string; next: string };
  /** What decided the game, in a sentence. */
  outcome(view: V, who: (seat: number) => Who): string;
  /** The title of the result of a finished game without a winner. */
  ended?(view: V): string;
  /** Whether the winners won as one team. */
  together?(view: V): boolean;
  score(view: V, seat: number): number;
  /** The unit of the score, for lists. */
  unit(n: number, view: V): string;
  /** Always visible, in the corner: the round, the trump. */
  Strip: Component<{ stage: Stage }>;
  /** The middle of the table. */
  Centre?: Component<{ stage: Stage }>;
  /** What a lesson can light beside what every table has (`table/lights.ts`): selectors by name, `*` for the rest of
   * the name. A bubble keeps off those without `*` where it can. */
  lights?: Readonly<Record<string, string>>;
  /** Beside a seat's name. */
  Plate?: Component<{ stage: Stage; seat: number; own: boolean }>;
  /** Choices other than a card: a trump, a box. */
  Choice?: Component<{ stage: Stage }>;
  /** The viewer's hand, where a tap on a card does not simply play it. */
  Hand?: Component<{ stage: Stage; cards: readonly string[] }>;
  /** Permanent buttons, in a row above the hand. */
  Controls?: Component<{ stage: Stage }>;
  /** All of the table below the header, for a game with its own layout of seats and hands. */
  Felt?: Component<{ stage: Stage; over?: Snippet; below?: Snippet }>;
  /** Shown after the game, beside the scores. */
  Epilogue?: Component<{ stage: Stage }>;
  /** A seat's cards from behind, where backs differ. */
  Backs?: Component<{ stage: Stage; seat: number }>;
}
