// What a page asks the server over HTTP. An answer that is no success becomes a Failure with the
// server's own words.
import type {
  Games,
  Moves,
  NewTable,
  OpenTables,
  Seated,
  TableInfo,
  TakeSeat,
  Replay,
  Wrong,
} from '$generated/wire';
import { language } from '$device/i18n.svelte';

export class Failure extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

/** Whether another name would do. */
export const misnamed = (error: unknown): error is Failure => error instanceof Failure && ['bad_name', 'unwanted_name'].includes(error.code);

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { 'accept-language': language() };
  if (body !== undefined) headers['content-type'] = 'application/json';
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Failure('offline', '');
  }
  const told: unknown = await answer.json().catch(() => null);
  if (answer.ok) return told as T;
  const wrong = (told ?? { code: 'failed', text: '' }) as Wrong;
  throw new Failure(wrong.code, wrong.text);
}

const at = (table: string) => `/api/tables/${encodeURIComponent(table)}`;

let told: Promise<Games> | null = null;

/** All games, as this server has them: asked once, and again only if there was no answer. */
export function games(): Promise<Games> {
  told ??= ask<Games>('/api/games').catch((error: unknown) => {
    told = null;
    throw error;
  });
  return told;
}

export const openTables = () => ask<OpenTables>('/api/tables');
export const newTable = (table: NewTable) => ask<Seated>('/api/tables', table);
export const table = (name: string) => ask<TableInfo>(at(name));
export const takeSeat = (table: string, seat: TakeSeat) => ask<Seated>(`${at(table)}/seats`, seat);

export const recordAddress = (table: string, game: number) => `${at(table)}/games/${game}/record`;

export const replay = (table: string, game: number, seat: number | null) =>
  ask<Replay>(`${at(table)}/games/${game}/replay${seat === null ? '' : `?seat=${seat}`}`);

export const moves = (table: string, game: number) => ask<Moves>(`${at(table)}/games/${game}/moves`);

export function socketAddress(table: string): string {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${location.host}${at(table)}/play`;
}
