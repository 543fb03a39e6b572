// What a page can check of a shuffle by itself.
import { beforeEach, expect, test, vi } from 'vitest';
import type { TableInfo } from '$generated/wire';
import { storedContribution, contributionFor } from '$proof/contribution';
import { verifyShuffle } from '$proof/verify';

const secret = 'a'.repeat(64);
const share = 'b'.repeat(64);

async function table(contributions: Record<number, string>): Promise<TableInfo> {
  const text = new TextEncoder().encode(`pli commitment 1\nid abc-1\nsecret ${secret}\n`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  const commitment = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { game_id: 'abc-1', commitment, contributions } as unknown as TableInfo;
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

test('a secret that was promised is told from one that was not', async () => {
  const info = await table({});
  expect((await verifyShuffle(info, secret, null, null)).promise).toBe(true);
  expect((await verifyShuffle(info, 'c'.repeat(64), null, null)).promise).toBe(false);
});

test("this page's share went in, or came too late, or was exchanged", async () => {
  expect((await verifyShuffle(await table({ 2: share }), secret, 2, share)).own).toBe('in');
  expect((await verifyShuffle(await table({ 1: share }), secret, 2, share)).own).toBe('late');
  expect((await verifyShuffle(await table({ 2: secret }), secret, 2, share)).own).toBe('wrong');
});

test('a page that gave nothing has nothing to say about its share', async () => {
  expect((await verifyShuffle(await table({ 2: share }), secret, 2, null)).own).toBe(null);
  expect((await verifyShuffle(await table({ 2: share }), secret, null, share)).own).toBe(null);
});

test('a page gives the same share however often it is asked, and another for another game', () => {
  const first = contributionFor('abc-1');
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(contributionFor('abc-1')).toBe(first);
  expect(contributionFor('abc-2')).not.toBe(first);
  expect(storedContribution('abc-1')).toBe(first);
  expect(storedContribution('abc-3')).toBe(null);
});
