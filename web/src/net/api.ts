// The HTTP API. A response that is no success is thrown as an ApiError with the server's code and text.
import type {
  Games,
  GameTable,
  Lab,
  LabQuestion,
  LabState,
  Moves,
  NewTable,
  OpenTables,
  Rename,
  Renamed,
  Seated,
  TableInfo,
  TakeSeat,
  Replay,
  Wrong,
} from '$generated/wire';
import { language } from '$device/i18n.svelte';
import { setLine } from '$device/line.svelte';

export class ApiError extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

/** Whether the server refused the name: another one may do. */
export const isNameError = (error: unknown): error is ApiError => error instanceof ApiError && ['bad_name', 'unwanted_name'].includes(error.code);

/** A response that is a success. */
async function send(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'accept-language': language() };
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
    setLine(true);
  } catch {
    if (!signal?.aborted) setLine(false);
    throw new ApiError('offline', '');
  }
  if (response.ok) return response;
  const wrong = ((await response.json().catch(() => null)) ?? { code: 'failed', text: '' }) as Wrong;
  throw new ApiError(wrong.code, wrong.text);
}

const request = async <T>(path: string, body?: unknown): Promise<T> => (await (await send(path, body)).json().catch(() => null)) as T;

const at = (table: string) => `/api/tables/${encodeURIComponent(table)}`;

let cached: Promise<Games> | null = null;

/** All games of this server: requested once, and again only after a failure. */
export function games(): Promise<Games> {
  cached ??= request<Games>('/api/games').catch((error: unknown) => {
    cached = null;
    throw error;
  });
  return cached;
}

/** How a game is shown that this client has no code for. */
export const gameTable = (game: string) => request<GameTable>(`/api/games/${encodeURIComponent(game)}/table`);

/** The page of a game's rules, as Markdown. */
export async function rulesPage(game: string, language: string): Promise<string> {
  const response = await fetch(`/api/rules/${encodeURIComponent(game)}/${language}`);
  if (!response.ok) throw new ApiError('failed', '');
  return response.text();
}

export const openTables = () => request<OpenTables>('/api/tables');
export const newTable = (table: NewTable) => request<Seated>('/api/tables', table);
export const tableInfo = (name: string) => request<TableInfo>(at(name));
export const takeSeat = (table: string, seat: TakeSeat) => request<Seated>(`${at(table)}/seats`, seat);

export const rename = (table: string, body: Omit<Rename, 'face'> & Partial<Rename>) => request<Renamed>(`${at(table)}/name`, body);

export const lab = () => request<Lab>('/api/lab');

/** How far a run of the lab is, again and again; it ends with the signal. */
export async function* labRun(question: LabQuestion, signal: AbortSignal): AsyncGenerator<LabState> {
  const { body } = await send('/api/lab/runs', question, signal);
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as LabState;
  }
}

export const studyAddress = (study: string, language: string) => `/api/lab/studies/${encodeURIComponent(study)}/${language}`;

export const recordAddress = (table: string, game: number) => `${at(table)}/games/${game}/record`;

export const replay = (table: string, game: number, seat: number | null) =>
  request<Replay>(`${at(table)}/games/${game}/replay${seat === null ? '' : `?seat=${seat}`}`);

export const moves = (table: string, game: number) => request<Moves>(`${at(table)}/games/${game}/moves`);

export function socketAddress(table: string): string {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${location.host}${at(table)}/play`;
}
