// A WebSocket to a table that reconnects by itself, with exponential backoff; at once when the browser is online
// again or the page becomes visible.
import type { FromPage, ToPage } from '$generated/wire';

export type ConnectionState = 'connecting' | 'open' | 'lost' | 'closed';

export interface SocketListener {
  /** The connection is open: the first message is due. */
  opened(): void;
  received(message: ToPage): void;
  changed(state: ConnectionState): void;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

/** Milliseconds before an attempt to reconnect; jitter keeps many pages from reconnecting at once. */
export function backoff(attempt: number, jitter: number = Math.random()): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.75 + jitter / 2);
}

export class ReconnectingSocket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
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
    const old = this.socket;
    this.socket = null;
    old?.close();
  }

  /** Closes it for good. */
  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener('online', this.retryNow);
    document.removeEventListener('visibilitychange', this.retryNow);
    this.socket?.close();
    this.listener.changed('closed');
  }

  private readonly retryNow = () => {
    if (this.ended || this.socket || document.visibilityState === 'hidden') return;
    this.attempt = 0;
    this.connect();
  };

  private connect(): void {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.attempt = 0;
      this.listener.changed('open');
      this.listener.opened();
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (this.socket === socket) this.listener.received(JSON.parse(event.data) as ToPage);
    };
    socket.onclose = () => {
      if (this.socket !== socket || this.ended) return;
      this.socket = null;
      this.listener.changed('lost');
      this.timer = setTimeout(() => this.connect(), backoff(this.attempt++));
    };
  }
}
