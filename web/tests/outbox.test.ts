import { expect, test } from 'vitest';
import { Outbox } from '$net/outbox';

test('actions are numbered upwards from what the server already carried out', () => {
  const outbox = new Outbox();
  outbox.resume(41);
  expect(outbox.add('play B7', 5).id).toBe(42);
  expect(outbox.add('play B8', 5).id).toBe(43);
});

test('after a lost line only what was not carried out is sent again, under the same number', () => {
  const outbox = new Outbox();
  const first = outbox.add('play B7', 5);
  const second = outbox.add('play B8', 5);
  expect(outbox.resume(first.id)).toEqual([second]);
});

test('a settled action is not sent again', () => {
  const outbox = new Outbox();
  const { id } = outbox.add('play B7', 5);
  expect(outbox.acknowledge(id)?.action).toBe('play B7');
  expect(outbox.resume(0)).toEqual([]);
  expect(outbox.acknowledge(id)).toBeNull();
});
