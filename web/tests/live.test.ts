// The live table without a screen: what the server says while the game's code is still being fetched.
import { beforeEach, expect, test, vi } from 'vitest';
import type { GameClient } from '$games/game';
import { LiveTable } from '$session/live.svelte';
import { FakeSocket, socket, stubBrowser } from './fake-socket';

/** Each request for the game's code, to be answered in any order. */
const requests: ((game: GameClient) => void)[] = [];
vi.mock('$games/catalog.svelte', () => ({
  catalog: { plingo: {} },
  isPlayable: (game: string) => game === 'plingo',
  loadGame: () => new Promise<GameClient>((done) => requests.push(done)),
}));

const game = {
  live: true,
  frames: (_: unknown, { events, view }: { events: []; view: object }) => [{ view, events, hold: 0, marks: {} }],
  preview: () => null,
  hand: () => [],
  sound: () => null,
} as unknown as GameClient;

beforeEach(() => {
  stubBrowser();
  requests.length = 0;
});

test('updates are shown in their order, whichever request for the code is answered first', async () => {
  const live = new LiveTable('abcdefghij');
  socket().open();
  const seats = [{ kind: 'person' }, { kind: 'bot' }];
  const table = { game: 'plingo', state: 'playing', number: 1, seats };
  const update = { type: 'update', events: [], legal: [], did: 0, time: 0, clock: null };
  const view = { seat: 0, seats: 2, awaited: [1] };
  socket().tell({ type: 'welcome', seat: 0, table, n: 1, view: null, legal: [], acted: 0, time: 0, clock: null });
  socket().tell({ ...update, n: 2, view: { ...view, turn: 1 } });
  socket().tell({ ...update, n: 3, view: { ...view, turn: 0, awaited: [0] }, legal: ['play B1'] });
  for (const answer of requests.toReversed()) {
    answer(game);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1000);
  expect(live.view?.turn).toBe(0);
  expect(live.legal).toEqual(['play B1']);
  live.close();
  expect(FakeSocket.made).toHaveLength(1);
});
