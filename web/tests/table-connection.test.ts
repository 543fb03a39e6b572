// The protocol without a screen: a fake WebSocket, and a listener that only notes what it gets.
import { beforeEach, expect, test, vi } from 'vitest';
import type { TableInfo, ToPage } from '$generated/wire';
import { ownSeat } from '$device/own-seats';
import { TableConnection, type TableMessage } from '$net/table-connection.svelte';
import { FakeSocket, socket, stubBrowser } from './fake-socket';

const welcome = { type: 'welcome', n: 3, view: { turn: 0, hand: ['B1'] }, legal: ['play B1'], acted: 0 };
const change = { type: 'change', n: 4, view: { turn: 1 }, gone: ['play B1'], more: [], events: [], did: 0 };

function connect() {
  const got: TableMessage[] = [];
  const problems: (string | null)[] = [];
  const connection = new TableConnection('abcdefghij', {
    wantsLegal: () => true,
    received: (message) => void got.push(message),
    problem: (text) => void problems.push(text),
    shutOut: () => undefined,
    polled: () => undefined,
  });
  socket().open();
  return { connection, got, problems };
}

beforeEach(stubBrowser);

test('a connection begins with a hello that shows the token of the seat', () => {
  const { connection } = connect();
  expect(socket().address).toBe('wss://pli.test/api/tables/abcdefghij/play');
  expect(socket().sent).toEqual([{ type: 'hello', token: 'secret', lang: 'en', changes: true, legal: true, starts: true }]);
  expect(connection.state).toBe('open');
});

test('a delta comes to the listener as a full update', () => {
  const { got } = connect();
  socket().tell(welcome);
  socket().tell(change);
  expect(got[1]).toMatchObject({ type: 'update', n: 4, view: { turn: 1, hand: ['B1'] }, legal: [] });
  socket().tell({ ...change, n: 5, view: { hand: [] }, gone: [], more: ['pass'] });
  expect(got[2]).toMatchObject({ n: 5, view: { turn: 1, hand: [] }, legal: ['pass'] });
});

test('an action is pending until an update, a refusal or a plain acknowledgement names it', () => {
  const { connection } = connect();
  socket().tell(welcome);
  for (const action of ['play B1', 'play B2', 'play B3']) connection.act(action, 3);
  const left = () => connection.pending.map((each) => each.action);
  socket().tell({ ...change, did: 1 });
  expect(left()).toEqual(['play B2', 'play B3']);
  socket().tell({ type: 'refused', id: 2, code: 'not_your_turn', action: 'play B2', text: '' });
  expect(left()).toEqual(['play B3']);
  socket().tell({ type: 'done', id: 3 });
  expect(left()).toEqual([]);
});

test('after a lost connection only what was not carried out is sent again, under its old id', () => {
  const { connection } = connect();
  socket().tell(welcome);
  connection.act('play B1', 3);
  connection.act('play B2', 3);
  socket().lose();
  expect(connection.state).toBe('lost');
  vi.advanceTimersByTime(1000);
  socket().open();
  socket().tell({ ...welcome, acted: 1 });
  expect(FakeSocket.made).toHaveLength(2);
  expect(socket().sent.slice(1)).toEqual([{ type: 'do', id: 2, action: 'play B2', seen: 3 }]);
});

test('a lost seat is forgotten, and the table watched without it', () => {
  const { connection, problems } = connect();
  socket().tell({ type: 'problem', code: 'not_your_seat', text: 'It was freed.' });
  expect(connection.seatLost).toBe('It was freed.');
  expect(ownSeat('abcdefghij')).toBeNull();
  expect(problems).toEqual([null]);
  socket().open();
  expect(socket().sent[0]).toMatchObject({ type: 'hello', token: null });
});

test('a problem that is not about the connection is for the listener', () => {
  const { problems } = connect();
  socket().tell({ type: 'problem', code: 'too_many', text: 'Slowly, please.' });
  expect(problems).toEqual(['Slowly, please.']);
});

test('a restart of the server is waited for; another end is for good', () => {
  const { connection } = connect();
  socket().tell({ type: 'closing', code: 'restart', text: '' } satisfies Partial<ToPage>);
  expect(connection.ended).toBeNull();
  socket().tell({ type: 'closing', code: 'replaced', text: '' });
  expect(connection.ended).toBe('replaced');
  expect(connection.state).toBe('closed');
  socket().lose();
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.made).toHaveLength(1);
});

test('a table that can not be watched is polled, and connected to once it can', async () => {
  const answers = [false, true].map((spectators) => ({ settings: { spectators } }) as TableInfo);
  vi.stubGlobal('fetch', () => Promise.resolve({ ok: true, json: () => Promise.resolve(answers.shift()) }));
  const { connection } = connect();
  localStorage.setItem('pli.seats', '[]');
  socket().tell({ type: 'problem', code: 'no_spectators', text: 'For players alone.' });
  await vi.advanceTimersByTimeAsync(100);
  expect(connection.noSpectators).toBe('For players alone.');
  expect(FakeSocket.made).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(FakeSocket.made).toHaveLength(2);
  socket().open();
  socket().tell(welcome);
  expect(connection.noSpectators).toBeNull();
});

test('a server that is older than the page is greeted again in words that it knows', () => {
  const { problems } = connect();
  expect(socket().sent.at(-1)).toMatchObject({ type: 'hello', starts: true });
  socket().tell({ type: 'problem', code: 'bad_message', text: 'What?' });
  expect(socket().sent.at(-1)).toMatchObject({ type: 'hello' });
  expect(socket().sent.at(-1)).not.toHaveProperty('starts');
  socket().tell(welcome);
  socket().tell({ type: 'problem', code: 'bad_message', text: 'What?' });
  expect(socket().sent.filter(({ type }) => type === 'hello')).toHaveLength(2);
  expect(problems).toEqual([null, 'What?']);
});

test('a line on which nothing is heard is asked, called silent within seconds, and replaced', () => {
  const { connection } = connect();
  const first = socket();
  first.tell(welcome);
  vi.advanceTimersByTime(4000);
  expect(first.sent.at(-1)).toEqual({ type: 'ping' });
  first.tell({ type: 'pong' });
  vi.advanceTimersByTime(4000 + 2900);
  expect(connection.state).toBe('open');
  vi.advanceTimersByTime(200);
  expect(connection.state).toBe('silent');
  first.tell({ type: 'pong' }); // late, but there
  expect(connection.state).toBe('open');
  vi.advanceTimersByTime(4000 + 8000);
  expect(connection.state).toBe('lost');
  expect(first.readyState).toBe(3);
  vi.advanceTimersByTime(1000);
  expect(FakeSocket.made.length).toBe(2);
  vi.advanceTimersByTime(10_000); // the second never opens
  vi.advanceTimersByTime(1000);
  expect(FakeSocket.made.length).toBe(3);
  socket().open();
  expect(connection.state).toBe('open');
  expect(socket().sent[0]).toMatchObject({ type: 'hello' });
});
