// A WebSocket to a table that reconnects by itself, with exponential backoff; at once when the browser is online
// again or the page becomes visible. A line on which packets vanish breaks no connection: if nothing was heard for a
// while, the server is asked for an answer, and without one the connection is replaced.
import type { FromPage, ToPage } from '$generated/wire';

export type ConnectionState = 'connecting' | 'open' | 'silent' | 'lost' | 'closed';

export interface SocketListener {
  /** The connection is open: the first message is due. */
  opened(): void;
  received(message: ToPage): void;
  changed(state: ConnectionState): void;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
/** Milliseconds without a message after which an answer is asked for. */
const QUIET = 4000;
/** Milliseconds after which an answer that did not come makes the line a silent one, and those after which it is given up. */
const SILENT = 3000;
const GIVEN_UP = 8000;
/** Milliseconds in which a new connection must be open. */
const OPENING = 10_000;

/** Milliseconds before an attempt to reconnect; jitter keeps many pages from reconnecting at once. */
export function backoff(attempt: number, jitter: number = Math.random()): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.75 + jitter / 2);
}

export class ReconnectingSocket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What is due if nothing is heard. */
  private watch: ReturnType<typeof setTimeout> | undefined;
  private silent = false;
  private ended = false;

  constructor(
    private readonly address: string,
    private readonly listener: SocketListener,
  ) {
    addEventListener('online', this.retryNow);
    document.addEventListener('visibilitychange', this.retryNow);
    this.connect();
  }

  /** Whether the message was sent: false while there is no connection. */
  send(message: FromPage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Replaces the connection by a new one, for instance after the language was changed. */
  reconnect(): void {
    this.attempt = 0;
    this.disconnect();
    this.connect();
  }

  /** Closes the connection until `reconnect`. */
  disconnect(): void {
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    const old = this.socket;
    this.socket = null;
    old?.close();
  }

  /** Closes it for good. */
  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    removeEventListener('online', this.retryNow);
    document.removeEventListener('visibilitychange', this.retryNow);
    this.socket?.close();
    this.listener.changed('closed');
  }

  private readonly retryNow = () => {
    if (this.ended || document.visibilityState === 'hidden') return;
    if (this.socket) {
      if (this.socket.readyState === WebSocket.OPEN) this.ask(this.socket); // timers of a hidden page rest, and its line may be gone
      return;
    }
    this.attempt = 0;
    this.connect();
  };

  /** Something was heard: the next question is due after a while. */
  private heard(socket: WebSocket): void {
    if (this.silent) {
      this.silent = false;
      this.listener.changed('open');
    }
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.ask(socket), QUIET);
  }

  private ask(socket: WebSocket): void {
    clearTimeout(this.watch);
    this.send({ type: 'ping' });
    this.watch = setTimeout(() => {
      this.silent = true;
      this.listener.changed('silent');
      this.watch = setTimeout(() => this.lose(socket), GIVEN_UP - SILENT);
    }, SILENT);
  }

  /** The connection is gone, or given up: the next is made after a while. */
  private lose(socket: WebSocket): void {
    if (this.socket !== socket || this.ended) return;
    clearTimeout(this.watch);
    this.silent = false;
    this.socket = null;
    socket.close();
    this.listener.changed('lost');
    this.timer = setTimeout(() => this.connect(), backoff(this.attempt++));
  }

  private connect(): void {
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.silent = false;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.watch = setTimeout(() => this.lose(socket), OPENING);
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.attempt = 0;
      this.listener.changed('open');
      this.listener.opened();
      this.heard(socket);
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (this.socket !== socket) return;
      this.heard(socket);
      this.listener.received(JSON.parse(event.data) as ToPage);
    };
    socket.onclose = () => this.lose(socket);
  }
}
