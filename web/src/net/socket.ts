// One connection to a table that comes back by itself: sooner when the browser says that the line is
// there again, and never more often than every few seconds when it is not.
import type { FromPage, ToPage } from '$generated/wire';

export type LineState = 'connecting' | 'open' | 'lost' | 'closed';

export interface SocketHooks {
  /** The line is there: the first message is due. */
  opened(): void;
  told(message: ToPage): void;
  changed(state: LineState): void;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

/** Milliseconds before the next attempt; a little chance keeps many pages from coming at once. */
export function waitBefore(attempt: number, chance: number = Math.random()): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.75 + chance / 2);
}

export class Socket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(
    private readonly address: string,
    private readonly hooks: SocketHooks,
  ) {
    addEventListener('online', this.soon);
    document.addEventListener('visibilitychange', this.soon);
    this.connect();
  }

  send(message: FromPage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Gives the connection up and makes another, for instance in another language. */
  renew(): void {
    this.attempt = 0;
    this.rest();
    this.connect();
  }

  /** Gives the connection up until it is wanted again. */
  rest(): void {
    clearTimeout(this.timer);
    const old = this.socket;
    this.socket = null;
    old?.close();
  }

  /** For good. */
  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener('online', this.soon);
    document.removeEventListener('visibilitychange', this.soon);
    this.socket?.close();
    this.hooks.changed('closed');
  }

  private readonly soon = () => {
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
      this.hooks.changed('open');
      this.hooks.opened();
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (this.socket === socket) this.hooks.told(JSON.parse(event.data) as ToPage);
    };
    socket.onclose = () => {
      if (this.socket !== socket || this.ended) return;
      this.socket = null;
      this.hooks.changed('lost');
      this.timer = setTimeout(() => this.connect(), waitBefore(this.attempt++));
    };
  }
}
