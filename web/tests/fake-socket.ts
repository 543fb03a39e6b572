// A WebSocket that goes where a test says, and what the client asks of a browser beside it.
import { vi } from 'vitest';
import { storeSeat } from '$device/own-seats';

export class FakeSocket {
  static OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: () => void = () => undefined;
  onclose: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  constructor(readonly address: string) {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen();
  }
  lose(): void {
    this.readyState = 3;
    this.onclose();
  }
  tell(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

/** The last one that was made. */
export const socket = () => FakeSocket.made.at(-1) as FakeSocket;

/** A browser without a screen, with a seat at one table; its timers are the test's. */
export function stubBrowser(): void {
  vi.useFakeTimers();
  FakeSocket.made = [];
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => void stored.set(key, value) });
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'https:', host: 'pli.test' });
  vi.stubGlobal('document', { addEventListener: () => undefined, removeEventListener: () => undefined, visibilityState: 'visible' });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  storeSeat({ table: 'abcdefghij', game: 'plingo', seat: 0, token: 'secret', used: 1 });
}
