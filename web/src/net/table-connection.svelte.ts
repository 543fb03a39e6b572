// The protocol of a table as a client sees it: one connection, the hello that opens it, deltas made whole, actions in
// the outbox until they are acknowledged, and the seat's token. What it means for the screen is its listener's.
import type { Change, Closing, Configure, FromPage, Line, Pong, Problem, Say, TableInfo, ToPage, Update, Welcome } from '$generated/wire';
import { language } from '$device/i18n.svelte';
import { ownSeat, removeSeat, storeSeat } from '$device/own-seats';
import { player } from '$device/player-name';
import { settings } from '$device/settings.svelte';
import * as api from './api';
import { applyDelta } from './delta';
import { Outbox, type PendingAction } from './outbox';
import { ReconnectingSocket, type ConnectionState } from './socket';

/** Between two requests for a table that can't be watched. */
const POLL = 10_000;

/** The messages that a listener gets: deltas come as full updates, and what concerns the connection is dealt with. */
export type TableMessage = Exclude<ToPage, Change | Closing | Line | Pong | Problem>;

export interface TableListener {
  /** Whether updates are to list the legal actions; asked on every new connection. */
  wantsLegal(): boolean;
  received(message: TableMessage): void;
  /** Something was wrong; null: the connection has dealt with it. */
  problem(text: string | null): void;
  /** Without a seat the table can't be watched: the connection rests, and its public state is polled. */
  shutOut(): void;
  polled(info: TableInfo): void;
}

export class TableConnection {
  state = $state<ConnectionState>('connecting');
  /** The code with which the connection ended for good. */
  ended = $state<string | null>(null);
  /** The server has no such table. */
  missing = $state(false);
  /** Why the seat was lost. */
  seatLost = $state<string | null>(null);
  /** Why the table can't be watched without a seat. */
  noSpectators = $state<string | null>(null);
  /** The last full state, against which the next delta is applied. */
  private last: Update | Welcome | null = null;
  /** The server is older than this page: its `hello` has fewer fields. */
  private plain = false;
  /** The `hello` of this connection was not answered yet. */
  private greeting = false;
  private polling: ReturnType<typeof setTimeout> | undefined;
  private readonly outbox = new Outbox();
  private readonly socket: ReconnectingSocket;

  constructor(
    readonly table: string,
    private readonly listener: TableListener,
  ) {
    this.socket = new ReconnectingSocket(api.socketAddress(table), {
      opened: () => this.hello(),
      received: (message) => this.receive(message),
      changed: (state) => {
        this.state = this.ended ? 'closed' : state;
      },
    });
  }

  /** Actions that were sent and are not acknowledged. */
  get pending(): readonly PendingAction[] {
    return this.outbox.pending;
  }

  /** `seen`: the journal entry up to which the player had been shown the game. */
  act(action: string, seen: number): void {
    this.send({ type: 'do', ...this.outbox.add(action, seen) });
  }

  /** Whether the message was sent: without a connection, all but actions are lost. */
  send(message: FromPage): boolean {
    return this.socket.send(message);
  }

  say(phrase: Say['phrase']): void {
    this.send({ type: 'say', phrase });
  }

  configure(change: Omit<Configure, 'type'>): void {
    this.send({ type: 'configure', ...change });
  }

  /** A bot of this level takes a seat; null: the seat is freed, or given back to its player. */
  fill(seat: number, level: string | null): void {
    this.send({ type: 'fill', seat, level });
  }

  /** Takes the own seat back from a stand-in bot. */
  back(): void {
    this.send({ type: 'back' });
  }

  /** Wakes a table that rests. */
  goOn(): void {
    this.send({ type: 'go_on' });
  }

  rematch(kind: string): void {
    this.send({ type: 'again', kind });
  }

  /** Takes back the wish for a rematch. */
  withdraw(): void {
    this.send({ type: 'withdraw' });
  }

  /** Gives the seat up. During a game a bot plays on; at other times the seat is free. */
  leave(): void {
    this.send({ type: 'leave' });
    removeSeat(this.table);
  }

  /** Takes a seat (null: any) over HTTP and connects anew with its token. */
  async takeSeat(seat: number | null, game: string): Promise<void> {
    const seated = await api.takeSeat(this.table, { ...player(), seat });
    storeSeat({ ...seated, game, used: Date.now() });
    this.seatLost = null;
    clearTimeout(this.polling);
    this.socket.reconnect();
  }

  /** A new connection, with a new hello: for another language, or another name of a spectator. */
  reconnect(): void {
    this.socket.reconnect();
  }

  /** Ends the connection for good; `code` says why. */
  end(code: string): void {
    this.ended = code;
    this.socket.close();
  }

  close(): void {
    clearTimeout(this.polling);
    this.socket.close();
  }

  private hello(): void {
    const token = ownSeat(this.table)?.token ?? null;
    this.greeting = true;
    const named = token === null && settings.watchNamed && settings.name ? { name: settings.name } : {};
    this.send({ type: 'hello', token, lang: language(), changes: true, legal: this.listener.wantsLegal(), ...(this.plain ? {} : { starts: true, ...named }) });
  }

  private receive(message: ToPage): void {
    switch (message.type) {
      case 'welcome':
        this.last = message;
        this.greeting = false;
        this.noSpectators = null;
        for (const each of this.outbox.resume(message.acted)) this.send({ type: 'do', ...each });
        break;
      case 'update':
        return this.updated(message);
      case 'change':
        return this.updated(applyDelta(this.last, message));
      case 'refused':
      case 'done':
        this.outbox.acknowledge(message.id);
        break;
      case 'problem':
        return this.listener.problem(this.handled(message) ? null : message.text);
      case 'closing':
        return this.closing(message);
      case 'line':
      case 'pong':
        return;
    }
    this.listener.received(message);
  }

  private updated(update: Update): void {
    this.last = update;
    if (update.did) this.outbox.acknowledge(update.did);
    this.listener.received(update);
  }

  private handled({ code, text }: Problem): boolean {
    switch (code) {
      case 'no_such_table':
        this.missing = true;
        removeSeat(this.table);
        this.socket.close();
        return true;
      case 'not_your_seat':
        this.loseSeat(text); // left in another window, or freed: one may still watch
        this.socket.reconnect();
        return true;
      case 'seat_freed':
        this.loseSeat(text);
        return true;
      case 'no_spectators':
        void this.poll(text);
        return true;
      case 'bad_message':
        if (!this.greeting || this.plain) return false;
        this.plain = true;
        this.hello();
        return true;
      default:
        return false;
    }
  }

  private closing({ code, text }: Closing): void {
    if (code === 'restart' || code === 'silent') return; // the socket reconnects
    if (code === 'no_spectators') void this.poll(text);
    else this.end(code);
  }

  private loseSeat(why: string): void {
    removeSeat(this.table);
    this.seatLost = why;
  }

  /** Players alone may connect: the public state of the table, with its free seats, is requested over HTTP instead. */
  private async poll(why: string): Promise<void> {
    this.listener.shutOut();
    this.socket.disconnect();
    const info = await api.tableInfo(this.table).catch(() => null);
    if (this.state === 'closed' || ownSeat(this.table)) return; // closed or seated in the meantime
    if (info) this.listener.polled(info);
    this.noSpectators = why;
    if (info?.settings.spectators) this.socket.reconnect();
    else this.polling = setTimeout(() => void this.poll(why), POLL);
  }
}
