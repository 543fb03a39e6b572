// The live table: one socket, what it tells, and what the player does about it.
import type { Configure, Hints, Refused, Say, TableInfo, ToPage, Update, Welcome } from '$generated/wire';
import { open, playable, shelf, type AnyEvent, type AnyView, type Frame } from '$games/game';
import * as api from '$net/api';
import { language, m } from '$device/i18n.svelte';
import { Outbox } from '$net/outbox';
import { Pacer } from './pacer';
import { begun, dropSeat, keepSeat, ownSeat } from '$device/own-seats';
import { Setting } from './deal-preparation.svelte';
import { settings, type Pace } from '$device/settings.svelte';
import { share, whole } from '$net/delta';
import { Socket, type LineState } from '$net/socket';
import { play } from '$device/sounds';
import { Stage } from './stage.svelte';

const SPEED: Record<Pace, number> = { calm: 1, brisk: 0.5, instant: 0.05 };
const BUBBLE = 4000;
/** Words of a game come thick and fast. */
const SPOKEN = 2400;
/** Between two looks at a table that can't be watched. */
const LOOK = 10_000;

/** A picture that nothing leads to. */
const still = (view: AnyView, memory: unknown): Frame => ({ view, events: [], hold: 0, marks: { memory } });

interface Step extends Frame {
  update: Update;
  last: boolean;
}

export class LiveTable extends Stage {
  line = $state<LineState>('connecting');
  /** Something to be said to this player alone, in passing. */
  notice = $state<{ text: string; key: number } | null>(null);
  /** Why the connection ended for good. */
  ended = $state<string | null>(null);
  /** The table is not there. */
  missing = $state(false);
  /** Why the seat is not one's own any more. */
  freed = $state<string | null>(null);
  /** Why there is nothing to be seen without a seat. */
  shut = $state<string | null>(null);
  /** The seat that was not to be had with one's name, and why. */
  misnamed = $state.raw<{ seat: number | null; text: string } | null>(null);
  /** What comes before the cards. */
  readonly setting: Setting;
  private notices = 0;
  private looking: ReturnType<typeof setTimeout> | undefined;
  /** The entry up to which the log has been told by the server. */
  private logged = -1;
  private asked: string | null = null;
  private readonly hushing: Record<number, ReturnType<typeof setTimeout>> = {};
  /** The entry up to which the game is to be seen: what one does is meant for that. */
  private drawn = 0;
  /** What the last picture that was made remembers. */
  private memory: unknown = undefined;
  /** What the server told last: changes are changes of that. */
  private known: Update | Welcome | null = null;
  /** The server's last view. What is shown may be behind it, or ahead by the own action. */
  private latest: AnyView | null = null;
  private readonly outbox = new Outbox();
  private readonly socket: Socket;
  private readonly pacer = new Pacer<Step>(
    (step) => this.show(step),
    () => SPEED[settings.pace] / settings.haste,
  );

  constructor(
    readonly table: string,
    /** Deal as soon as we are there: "play now". */
    private begin = false,
  ) {
    super();
    this.expected = ownSeat(table)?.game ?? '';
    this.setting = new Setting(table, (share) => this.seat !== null && this.socket.send(share));
    if (begin) this.setting.begin();
    void this.learn(this.expected); // while the line is being made
    this.socket = new Socket(api.socketAddress(table), {
      opened: () => this.hello(),
      told: (message) => void this.receive(message),
      changed: (state) => {
        this.line = this.ended ? 'closed' : state;
      },
    });
  }

  get host(): boolean {
    return this.seat !== null && this.info?.host === this.seat;
  }

  act(action: string): void {
    if (this.game?.live ? this.outbox.pending.some((each) => each.action === action) : this.sent !== null) return;
    this.notice = null; // what was said was about something else
    this.sent = action;
    this.chances = null;
    this.socket.send({ type: 'do', ...this.outbox.add(action, this.drawn) });
    this.foresee();
  }

  why(action: string): void {
    this.asked = action;
    this.socket.send({ type: 'why', action });
  }

  skip(): void {
    this.pacer.skip();
  }

  deal(): void {
    this.setting.begin();
    this.socket.send({ type: 'begin' });
  }

  say(phrase: Say['phrase']): void {
    this.socket.send({ type: 'say', phrase });
  }

  configure(change: Omit<Configure, 'type'>): void {
    this.socket.send({ type: 'configure', ...change });
  }

  fill(seat: number, level: string | null): void {
    this.socket.send({ type: 'fill', seat, level });
  }

  back(): void {
    this.socket.send({ type: 'back' });
  }

  goOn(): void {
    this.socket.send({ type: 'go_on' });
  }

  again(kind = 'same'): void {
    if (this.standIn) this.back(); // a rematch is for who plays itself
    this.socket.send({ type: 'again', kind });
  }

  hint(): void {
    if (!this.myTurn || this.thinking) return;
    this.thinking = this.socket.send({ type: 'hint' });
  }

  async sit(name: string, seat: number | null): Promise<void> {
    try {
      const seated = await api.takeSeat(this.table, { name, seat });
      keepSeat({ ...seated, game: this.info?.game ?? '', used: Date.now() });
      this.freed = null;
      clearTimeout(this.looking);
      this.socket.renew();
    } catch (error) {
      if (api.misnamed(error)) this.misnamed = { seat, text: error.message };
      else this.notify(error instanceof api.Failure ? error.message || m.offline() : String(error));
    }
  }

  leave(): void {
    this.socket.send({ type: 'leave' });
    dropSeat(this.table);
  }

  /** The server speaks another language from now on. */
  relearn(): void {
    this.socket.renew();
  }

  close(): void {
    this.pacer.clear();
    clearTimeout(this.looking);
    this.socket.close();
  }

  override notify(text: string): void {
    this.notice = { text, key: ++this.notices };
  }

  private async learn(game: string): Promise<void> {
    if (this.game || !playable(game)) return;
    try {
      this.game = await open(game);
    } catch {
      this.ended = 'failed'; // its code did not come: a new start asks for it again
      this.socket.close();
    }
  }

  private hello(): void {
    const token = ownSeat(this.table)?.token ?? null;
    this.socket.send({ type: 'hello', token, lang: language(), changes: true, legal: !shelf[this.kind]?.unlisted });
  }

  private async receive(message: ToPage): Promise<void> {
    switch (message.type) {
      case 'welcome':
        this.known = message;
        this.seat = message.seat;
        this.shut = null;
        this.stopped = message.table.resting ? performance.now() : null;
        this.offset = message.time - performance.now();
        this.clock = message.clock;
        this.drawn = message.n;
        for (const each of this.outbox.reconnected(message.acted)) this.socket.send({ type: 'do', ...each });
        this.unsettled();
        this.around(message.table);
        this.pacer.clear();
        this.busy = false;
        this.latest = (message.view ?? null) as AnyView | null;
        this.memory = undefined;
        this.foresee();
        this.legal = message.legal;
        this.thinking = false;
        this.chances = null;
        if (message.view) this.socket.send({ type: 'log' });
        await this.learn(message.table.game);
        if (!this.busy) this.playLast();
        return;
      case 'table':
        this.around(message.table);
        return;
      case 'update':
        this.known = message;
        return this.updated(message);
      case 'change':
        this.known = whole(this.known, message);
        return this.updated(this.known);
      case 'refused':
        this.settled(message.id);
        if (!this.busy) this.foresee(); // the card comes back
        this.refused(message);
        return;
      case 'done':
        this.settled(message.id);
        return;
      case 'verdict':
        if (message.action === this.asked && message.code) {
          const own = this.view && this.game?.reason(message.code, this.view);
          this.notify(own ?? message.text ?? '');
        }
        return;
      case 'said':
        this.said[message.seat] = message.phrase;
        setTimeout(() => delete this.said[message.seat], BUBBLE);
        return;
      case 'nudge':
        this.notify(m.nudge({ n: message.seconds }));
        play('turn');
        return;
      case 'log':
        this.logged = message.n;
        this.retell(message.events.map((each) => each.event as AnyEvent), message.n);
        return;
      case 'hints':
        return this.advised(message);
      case 'problem':
        this.thinking = false;
        if (message.code === 'no_such_table') {
          this.missing = true;
          dropSeat(this.table);
          this.socket.close();
        } else if (message.code === 'not_your_seat') {
          this.lose(message.text); // left from another window, or freed: one may still watch
          this.socket.renew();
        } else if (message.code === 'seat_freed') this.lose(message.text);
        else if (message.code === 'no_spectators') void this.look(message.text);
        else this.notify(message.text);
        return;
      case 'closing':
        if (message.code === 'restart' || message.code === 'silent') return;
        if (message.code === 'no_spectators') return this.look(message.text);
        this.ended = message.code;
        this.socket.close();
        return;
      case 'pictures':
        this.faces = this.setting.fetch(message) ? message.faces : { ...this.faces, ...message.faces };
        return;
      case 'raced':
        this.raced = message;
        return;
      case 'line':
        return;
    }
  }

  private lose(why: string): void {
    dropSeat(this.table);
    this.freed = why;
  }

  /** The table is for its players alone: what everybody may know, to take a seat, is asked for. */
  private async look(why: string): Promise<void> {
    this.seat = null;
    this.socket.rest();
    const info = await api.table(this.table).catch(() => null);
    if (this.line === 'closed' || ownSeat(this.table)) return; // nobody waits for it any more
    if (info) this.around(info);
    this.shut = why;
    if (info?.settings.spectators) this.socket.renew();
    else this.looking = setTimeout(() => void this.look(why), LOOK);
    if (info) await this.learn(info.game);
  }

  private around(info: TableInfo): void {
    const before = this.info;
    this.info = info;
    if (info.resting) this.stopped ??= performance.now();
    else if (this.stopped !== null) {
      this.offset -= performance.now() - this.stopped;
      this.stopped = null;
    }
    if (before && before.number !== info.number) {
      this.pacer.clear();
      this.latest = null;
      this.memory = undefined;
      this.frame = null;
      this.legal = [];
      this.log = [];
      this.setting.begin();
    }
    if (this.seat === null || info.state !== 'waiting') return;
    const own = info.seats[this.seat];
    if (own?.kind === 'person' && !own.ready) void this.setting.contribute(info.game_id);
    if (this.begin && this.host) {
      this.begin = false;
      begun(this.table);
      this.deal();
    }
  }

  private refused({ code, action, text }: Refused): void {
    const own = this.game?.refused;
    const words = own ? own(this, code, action, text) : text;
    if (words === null) return;
    this.notify(words);
    play('wrong');
  }

  /** Shows the table as the server last told it, with what was sent and not yet settled. */
  private foresee(): void {
    const view = this.latest && this.ahead(this.latest);
    // Where nothing can be foreseen, nothing is drawn: a touch must not wait for that.
    if (this.game?.live && view && view === this.view) return;
    this.frame = view && still(view, this.memory);
  }

  /** A view with all that was sent and is not settled. */
  private ahead(view: AnyView): AnyView {
    return this.outbox.pending.reduce((before, { action }) => this.game?.preview(before, action) ?? before, view);
  }

  private settled(id: number): void {
    this.outbox.settle(id);
    this.unsettled();
  }

  private unsettled(): void {
    this.sent = this.outbox.pending.at(-1)?.action ?? null;
  }

  private voice(events: readonly AnyEvent[]): void {
    for (const { seat, text } of this.aloud(events)) {
      this.spoken[seat] = text;
      clearTimeout(this.hushing[seat]);
      this.hushing[seat] = setTimeout(() => delete this.spoken[seat], SPOKEN);
    }
  }

  private advised({ actions }: Hints): void {
    if (!this.thinking) return; // something happened meanwhile
    this.thinking = false;
    if (actions.length === 0) this.notify(m.hint_none());
    else this.chances = Object.fromEntries(actions.map(({ action, chance }) => [action, chance]));
  }

  private async updated(update: Update): Promise<void> {
    await this.learn(this.info?.game ?? '');
    if (!this.game) return;
    if (update.did) this.settled(update.did);
    this.offset = update.time - performance.now();
    this.thinking = false;
    this.chances = null;
    const view = share(this.latest, update.view as AnyView);
    const happened = { events: update.events as readonly AnyEvent[], view };
    if (this.slight(update, happened)) return;
    const frames = this.game.frames(this.latest, happened, this.memory);
    this.latest = view;
    this.memory = frames.at(-1)?.marks.memory;
    this.busy = true;
    this.legal = [];
    this.pacer.push(
      frames.map((frame, i) => ({ ...frame, update, last: i === frames.length - 1 })),
    );
  }

  /** Where hands come and go all the time, that alone is no new picture: nobody has to look at all of it. */
  private slight(update: Update, happened: { events: readonly AnyEvent[]; view: AnyView }): boolean {
    const frame = this.frame;
    if (!frame || frame.view !== this.latest || this.busy) return false;
    const move = this.game?.slight?.(this, frame.view, happened);
    if (!move) return false;
    this.latest = frame.view = happened.view;
    this.drawn = update.n;
    this.clock = update.clock;
    this.legal = update.legal;
    move();
    return true;
  }

  private show(step: Step): void {
    this.drawn = step.update.n;
    // Where others act meanwhile, what was sent stays to be seen.
    this.frame = step.last && this.sent !== null ? { ...step, view: this.ahead(step.view) } : step;
    this.voice(step.events);
    if (step.update.n > this.logged) this.tell(step.events, step.update.n);
    for (const event of step.events) {
      const sound = this.game?.sound(event, this.seat);
      if (sound) play(sound);
    }
    if (!step.last) return;
    this.clock = step.update.clock;
    this.busy = this.pacer.busy;
    if (this.busy) return;
    this.legal = step.update.legal;
    this.playLast();
  }

  /** The only card that is left goes by itself, for who wants that. */
  private playLast(): void {
    if (this.game?.live) return;
    const only = this.legal.length === 1 ? this.legal[0] : undefined;
    const hand = this.view && this.game ? this.game.hand(this.view) : [];
    if (settings.last && only && hand.length === 1) this.act(only);
  }
}
