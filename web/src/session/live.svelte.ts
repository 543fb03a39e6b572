// The live table on the screen: updates become frames, shown one after the other at the player's pace; own actions
// are shown at once, before the server has answered. The protocol is `TableConnection`'s.
import type { Hints, Refused, Start, TableInfo, Update, Welcome } from '$generated/wire';
import { theCard } from '$art/cards';
import { m } from '$device/i18n.svelte';
import { clearAutoDeal, ownSeat } from '$device/own-seats';
import { settings } from '$device/settings.svelte';
import { playSound } from '$device/sounds';
import { catalog } from '$games/catalog.svelte';
import type { AnyEvent, AnyView, Frame } from '$games/game';
import { isDeal } from '$games/round-scores';
import { ApiError, isNameError } from '$net/api';
import { replaceEqualDeep } from '$net/delta';
import { TableConnection, type TableMessage } from '$net/table-connection.svelte';
import { DealPreparation } from './deal-preparation.svelte';
import { frameSpeed } from './frame-speed';
import { loadGame } from './outside-games';
import { Pacer } from './pacer';
import { roundOf, settlePremove, type Premove } from './premove';
import { BaseStage } from './stage.svelte';

/** The share of its time for which a frame is shown that is only to be got through. */
const HURRIED = 0.2;
/** Milliseconds for which a chat phrase is shown. */
const PHRASE_SHOWN = 4000;

/** A frame without events, shown at once. */
const stillFrame = (view: AnyView, memory: unknown): Frame => ({ view, events: [], hold: 0, marks: { memory } });

interface UpdateFrame extends Frame {
  update: Update;
  last: boolean;
}

export class LiveTable extends BaseStage {
  readonly connection: TableConnection;
  readonly preparation: DealPreparation;
  /** A message to this player, shown for a while. */
  notice = $state<{ text: string; key: number } | null>(null);
  private ahead = $state.raw<Premove | null>(null);
  /** The player is asked for a name: for which seat (undefined: for the one it has), and what was wrong with the last. */
  asking = $state.raw<{ seat?: number | null; wrong: string } | null>(null);
  private notices = 0;
  /** The entry up to which the server has sent the log. */
  private logEntry = -1;
  /** The action that the player asked to be explained. */
  private asked: string | null = null;
  /** The entry up to which the game is shown: what the player does refers to it. */
  private shownEntry = 0;
  private loading: Promise<void> | null = null;
  /** The round that is to be got through quickly. */
  private hurried = $state<number | null>(null);
  /** The memory of the last frame that was made. */
  private memory: unknown = undefined;
  /** The server's last view. What is shown may be behind it, or ahead by pending actions. */
  private serverView: AnyView | null = null;
  private readonly pacer = new Pacer<UpdateFrame>(
    (frame) => this.show(frame),
    frameSpeed,
  );

  constructor(
    table: string,
    /** Deal as soon as the table is open: "play now". */
    private autoDeal = false,
  ) {
    super();
    this.expectedGame = ownSeat(table)?.game ?? '';
    this.preparation = new DealPreparation(table, (message) => this.seat !== null && this.connection.send(message));
    if (autoDeal) this.preparation.begin();
    void this.load(this.expectedGame); // while the connection is being made
    this.connection = new TableConnection(table, {
      wantsLegal: () => !catalog[this.gameName]?.unlisted,
      received: (message) => void this.receive(message),
      problem: (text) => {
        this.thinking = false;
        if (text !== null) this.notify(text);
      },
      shutOut: () => {
        this.seat = null;
      },
      polled: (info) => {
        this.tableChanged(info);
        void this.load(info.game);
      },
    });
  }

  get host(): boolean {
    return this.seat !== null && this.info?.host === this.seat;
  }

  override get premove(): string | null {
    return this.ahead?.card ?? null;
  }

  override get mayPremove(): boolean {
    if (!settings.premove || this.readOnly || this.standIn || this.seat === null || this.view?.phase !== 'play') return false;
    return this.game?.live !== true && !this.myTurn;
  }

  override choosePremove(card: string | null): void {
    this.ahead = card !== null && this.mayPremove && this.view ? { card, round: roundOf(this.view) } : null;
  }

  act(action: string): void {
    if (this.game?.live ? this.connection.pending.some((each) => each.action === action) : this.sent !== null) return;
    this.notice = null; // it was about something else
    this.sent = action;
    this.ahead = null;
    this.chances = null;
    this.connection.act(action, this.shownEntry);
    this.showPending();
  }

  explain(action: string): void {
    this.asked = action;
    this.connection.send({ type: 'why', action });
  }

  /** All players are out of the round: what is left of it is played by bots alone. */
  get onlyBotsPlay(): boolean {
    const { view, seat } = this;
    const out = (view as { out?: readonly number[] } | null)?.out;
    if (!out || seat === null || view?.phase !== 'play' || !out.includes(seat)) return false;
    return this.info?.seats.every((each, i) => each.kind === 'bot' || each.stand_in || out.includes(i)) ?? false;
  }

  /** The rest of this round is shown quickly. */
  get hurries(): boolean {
    return this.hurried !== null && this.view !== null && roundOf(this.view) === this.hurried;
  }

  /** Bots need not pause any longer for this player, until the round is over. */
  fastForward(): void {
    if (!this.onlyBotsPlay || !this.view) return;
    this.hurried = roundOf(this.view);
    this.connection.send({ type: 'go_on' });
    this.pacer.skip();
  }

  skip(): void {
    // Bots need not wait any longer for this player.
    if (this.marks.roundEnd && this.seat !== null) this.connection.send({ type: 'go_on' });
    this.pacer.skip();
  }

  deal(): void {
    this.preparation.begin();
    this.connection.send({ type: 'begin' });
  }

  rematch(kind = 'same'): void {
    if (this.standIn) this.connection.back(); // a stand-in bot does not ask for a rematch
    this.connection.rematch(kind);
  }

  hint(): void {
    if (!this.myTurn || this.thinking) return;
    this.thinking = this.connection.send({ type: 'hint' });
  }

  /** Takes a seat (null: any). Who has no name is asked for one. */
  async sit(seat: number | null): Promise<void> {
    if (!settings.name) {
      this.asking = { seat, wrong: '' };
      return;
    }
    try {
      await this.connection.takeSeat(seat, this.info?.game ?? '');
    } catch (error) {
      if (isNameError(error)) this.asking = { seat, wrong: error.message };
      else this.notify(error instanceof ApiError ? error.message || m.offline() : String(error));
    }
  }

  close(): void {
    this.pacer.clear();
    this.connection.close();
  }

  override notify(text: string): void {
    this.notice = { text, key: ++this.notices };
  }

  /** Fetches the game's code. One promise for all that wait for it, so that updates go on in the order in which they
   * came. */
  private load(game: string): Promise<void> {
    if (!game) return Promise.resolve(); // not known yet
    return (this.loading ??= this.fetchGame(game));
  }

  private async fetchGame(game: string): Promise<void> {
    try {
      this.game = await loadGame(game);
    } catch {
      this.connection.end('failed'); // its code could not be fetched: reopening tries again
    }
  }

  private async receive(message: TableMessage): Promise<void> {
    switch (message.type) {
      case 'welcome':
        return this.welcomed(message);
      case 'table':
        this.tableChanged(message.table);
        return;
      case 'update':
        return this.updated(message);
      case 'refused':
        this.syncSent();
        this.ahead = null;
        if (!this.busy) this.showPending(); // the card comes back
        this.refused(message);
        return;
      case 'done':
        this.syncSent();
        return;
      case 'verdict':
        if (message.action === this.asked && message.code) {
          const own = this.view && this.game?.reason(message.code, this.view);
          this.notify(own ?? message.text ?? '');
        }
        return;
      case 'said':
        this.said[message.seat] = message.phrase;
        setTimeout(() => delete this.said[message.seat], PHRASE_SHOWN);
        return;
      case 'nudge':
        this.notify(m.nudge({ n: message.seconds }));
        playSound('turn');
        return;
      case 'log':
        this.logEntry = message.n;
        this.replaceLog(message.events.map((each) => each.event as AnyEvent), message.n);
        return;
      case 'hints':
        return this.hinted(message);
      case 'pictures':
        this.sprites = this.preparation.preload(message) ? message.faces : { ...this.sprites, ...message.faces };
        return;
      case 'start':
        return this.startTold(message);
      case 'raced':
        this.raced = message;
        return;
    }
  }

  private async welcomed(message: Welcome): Promise<void> {
    this.seat = message.seat;
    this.stopped = message.table.resting || this.starting ? 0 : null;
    this.setTime(message.time);
    this.clock = message.clock;
    this.shownEntry = message.n;
    this.syncSent();
    this.tableChanged(message.table);
    this.pacer.clear();
    this.busy = false;
    this.ahead = null; // what happened meanwhile was not shown
    this.serverView = (message.view ?? null) as AnyView | null;
    this.memory = undefined;
    this.showPending();
    this.legal = message.legal;
    this.thinking = false;
    this.chances = null;
    if (message.view) this.connection.send({ type: 'log' });
    await this.load(message.table.game);
    if (!this.busy) this.playLastCard();
  }

  /** The time of play; it stands still while the table rests or has not started. */
  private setTime(time: number): void {
    const now = performance.now();
    this.offset = time - now;
    if (this.stopped !== null) this.stopped = now;
  }

  /** The pages of all players are awaited, then count down from when they are told, and start together. */
  private startTold({ number, time, waits_for, count }: Start): void {
    this.stopped = count === 0 ? null : 0;
    this.setTime(time);
    this.starting = count === 0 ? null : { waitsFor: waits_for, at: count && performance.now() + count, loaded: () => this.preparation.loaded };
    if (count === null) void this.preparation.ready(number);
  }

  private tableChanged(info: TableInfo): void {
    const before = this.info;
    this.info = info;
    if (info.resting) this.stopped ??= performance.now();
    else if (this.stopped !== null && !this.starting) {
      this.offset -= performance.now() - this.stopped;
      this.stopped = null;
    }
    if (this.standIn) this.ahead = null;
    if (info.state === 'over') this.starting = null;
    if (before && before.number !== info.number) {
      this.ahead = null;
      this.starting = null;
      this.pacer.clear();
      this.serverView = null;
      this.memory = undefined;
      this.frame = null;
      this.legal = [];
      this.log = [];
      // Before a rematch with other options the table waits for its host.
      if (!before.seats.some(({ again }) => again === 'options')) this.preparation.begin();
    }
    if (this.seat === null || info.state !== 'waiting') return;
    const own = info.seats[this.seat];
    if (own?.kind === 'person' && !own.ready) void this.preparation.contribute(info.game_id);
    if (this.autoDeal && this.host) {
      this.autoDeal = false;
      clearAutoDeal(this.connection.table);
      this.deal();
    }
  }

  private refused({ code, action, text }: Refused): void {
    const own = this.game?.refused;
    const words = own ? own(this, code, action, text) : text;
    if (words === null) return;
    this.notify(words);
    playSound('wrong');
  }

  /** Shows the server's view with the pending actions applied (optimistic update). */
  private showPending(): void {
    const view = this.serverView && this.withPending(this.serverView);
    // Where nothing can be predicted nothing is drawn: a touch must not wait for that.
    if (this.game?.live && view && view === this.view) return;
    this.frame = view && stillFrame(view, this.memory);
  }

  private withPending(view: AnyView): AnyView {
    return this.connection.pending.reduce((before, { action }) => this.game?.preview(before, action) ?? before, view);
  }

  /** Actions were acknowledged, or sent again. */
  private syncSent(): void {
    this.sent = this.connection.pending.at(-1)?.action ?? null;
  }

  private hinted({ actions }: Hints): void {
    if (!this.thinking) return; // the state has changed since
    this.thinking = false;
    if (actions.length === 0) this.notify(m.hint_none());
    else this.chances = Object.fromEntries(actions.map(({ action, chance }) => [action, chance]));
  }

  private async updated(update: Update): Promise<void> {
    await this.load(this.info?.game ?? '');
    if (!this.game) return;
    if (update.did) this.syncSent();
    this.setTime(update.time);
    this.thinking = false;
    this.chances = null;
    const view = replaceEqualDeep(this.serverView, update.view as AnyView);
    const happened = { events: update.events as readonly AnyEvent[], view };
    if (this.updatedInPlace(update, happened)) return;
    const frames = this.game.frames(this.serverView, happened, this.memory);
    this.serverView = view;
    this.memory = frames.at(-1)?.marks.memory;
    this.busy = true;
    this.legal = [];
    this.pacer.push(
      frames.map((frame, i) => ({ ...frame, hold: this.hurries && !frame.marks.roundEnd ? frame.hold * HURRIED : frame.hold, update, last: i === frames.length - 1 })),
      // In real time somebody's action must be seen, whatever is being shown.
      this.game.live && happened.events.some((event) => !isDeal(event)),
    );
  }

  /** Small and frequent updates, such as hands that come and go, need no new frame: the game applies them itself. */
  private updatedInPlace(update: Update, happened: { events: readonly AnyEvent[]; view: AnyView }): boolean {
    const frame = this.frame;
    if (!frame || frame.view !== this.serverView || this.busy) return false;
    const apply = this.game?.updateInPlace?.(this, frame.view, happened);
    if (!apply) return false;
    this.serverView = frame.view = happened.view;
    this.shownEntry = update.n;
    this.clock = update.clock;
    this.legal = update.legal;
    apply();
    return true;
  }

  private show(frame: UpdateFrame): void {
    this.shownEntry = frame.update.n;
    // Where others act in the meantime, the own pending action stays visible.
    this.frame = frame.last && this.sent !== null ? { ...frame, view: this.withPending(frame.view) } : frame;
    this.showWords(frame.events);
    if (frame.update.n > this.logEntry) this.appendLog(frame.events, frame.update.n);
    for (const event of frame.events) {
      const sound = this.game?.sound(event, this.seat);
      if (sound) playSound(sound);
    }
    if (this.ahead && settlePremove(this.ahead, frame.view, []) === 'over') this.ahead = null;
    if (!frame.last) return;
    this.clock = frame.update.clock;
    this.busy = this.pacer.busy;
    if (this.busy) return;
    this.legal = frame.update.legal;
    this.playPremove();
    this.playLastCard();
  }

  /** Plays the card that was chosen ahead, if it is the turn for it and the card is legal. */
  private playPremove(): void {
    if (!this.ahead || !this.view || this.sent !== null) return;
    const { card } = this.ahead;
    const settled = settlePremove(this.ahead, this.view, this.legal);
    if (settled === 'waits') return;
    this.ahead = null;
    if (settled === 'plays') this.act(`play ${card}`);
    else if (settled === 'illegal') this.notify(m.premove_illegal({ card: theCard(card) }));
  }

  /** Plays the only card that is left, if the player wants that. */
  private playLastCard(): void {
    if (this.game?.live) return;
    const only = this.legal.length === 1 ? this.legal[0] : undefined;
    const hand = this.view && this.game ? this.game.hand(this.view) : [];
    if (settings.last && only && hand.length === 1) this.act(only);
  }
}
