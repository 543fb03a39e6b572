import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LessonStage } from '$session/lesson.svelte';

/** A race as a lesson may have it: a count to the start, then an action that rivals do first after ten seconds. */
const mine = { view: { turn: 0, seats: 2, awaited: [], won: 0 }, events: [], time: 0, legal: [] };
const theirs = { ...mine, view: { ...mine.view, won: 1 }, time: 10_000 };
const race = { kind: 'ask', text: 'race', light: [], legal: ['touch 1'], ways: { 'touch 1': { update: mine, then: {} } }, codes: { 'touch 2': 'legal' }, answers: { legal: 'other' }, race: { within: 10_000, text: 'late', update: theirs } };
const lesson = { game: 'any', seat: 0, pictures: { sun: '<svg/>' }, scenes: [{ table: { seats: [{}, {}] }, start: { ...mine }, faces: { '1a': 'sun' }, steps: [{ kind: 'start', counts: 3 }, { kind: 'play', after: 2000, update: { ...mine, time: 2000 } }, race, { kind: 'say', text: 'won', light: [] }] }] };
const refused = vi.fn();
const game = { live: true, frames: (_: unknown, { view, events }: typeof mine) => [{ view, events, hold: 0, marks: {} }], reason: () => null, refused, sound: () => null };

vi.mock('$games/catalog.svelte', () => ({
  loadGame: () => Promise.resolve(game),
  loadLesson: () => Promise.resolve(lesson),
  loadLessonTexts: () => Promise.resolve({ texts: { race: 'Quick!', late: 'Too late.', other: 'Not that.', won: 'Won!' }, errors: {} }),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function begun(): Promise<LessonStage> {
  const stage = new LessonStage('any');
  await stage.open();
  return stage;
}

test('a count comes before the start, and time runs only while others play', async () => {
  const stage = await begun();
  expect(stage.starting).not.toBeNull();
  vi.advanceTimersByTime(3000);
  expect(stage.starting).toBeNull();
  expect(stage.time()).toBe(0);
  vi.advanceTimersByTime(1500);
  expect(stage.time()).toBe(1500);
  vi.advanceTimersByTime(500);
  expect(stage.step?.text).toBe('race');
  vi.advanceTimersByTime(5000);
  expect(stage.time()).toBe(2000);
});

test('who is slow sees what rivals do, and tries again without haste', async () => {
  const stage = await begun();
  vi.advanceTimersByTime(5000 + 10_000);
  expect(stage.view).toMatchObject({ won: 1 });
  vi.advanceTimersByTime(2000);
  expect(stage.step).toMatchObject({ kind: 'say', text: 'late' });
  stage.proceed();
  expect(stage.view).toMatchObject({ won: 0 });
  vi.advanceTimersByTime(100_000);
  expect(stage.step).toMatchObject({ kind: 'ask', text: 'race' });
  stage.act('touch 1');
  expect(stage.step?.text).toBe('won');
});

test('a mistake is answered, the game takes it back, and who is in time is not disturbed later', async () => {
  const stage = await begun();
  vi.advanceTimersByTime(5000);
  stage.act('touch 2');
  expect(stage.answer?.text).toBe('Not that.');
  expect(refused).toHaveBeenLastCalledWith(stage, 'legal', 'touch 2', '');
  stage.act('touch 1');
  vi.advanceTimersByTime(100_000);
  expect(stage.step?.text).toBe('won');
  expect(stage.picture('1a')?.image).toContain('data:image/svg+xml');
  expect(stage.picture('2a')).toBeNull();
});
