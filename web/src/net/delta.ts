// Updates come as deltas against the last one. What did not change keeps its object identity (structural sharing),
// so that components which depend on it are not updated.
import type { Change, Update, Welcome } from '$generated/wire';

/** The full update that a delta makes of the last message. */
export function applyDelta(last: Update | Welcome | null, { view, gone, more, ...rest }: Change): Update {
  const legal = last?.legal ?? [];
  const left = gone.length > 0 ? legal.filter((each) => !gone.includes(each)) : legal;
  return { ...rest, type: 'update', view: { ...(last?.view as object), ...view }, legal: more.length > 0 ? left.concat(more) : left };
}

/** The new value, with every part that is deeply equal replaced by the old value's object. Changes `now` in place. */
export function replaceEqualDeep<T>(before: unknown, now: T): T {
  if (before === now || typeof now !== 'object' || now === null || typeof before !== 'object' || before === null) return now;
  if (Array.isArray(now)) return Array.isArray(before) ? (replaceEqualItems(before, now) as T) : now;
  const old = before as Record<string, unknown>;
  const fresh = now as Record<string, unknown>;
  let same = true;
  for (const key in fresh) {
    fresh[key] = replaceEqualDeep(old[key], fresh[key]);
    same &&= fresh[key] === old[key];
  }
  for (const key in old) same &&= key in fresh;
  return same ? (before as T) : now;
}

function replaceEqualItems(before: readonly unknown[], now: unknown[]): readonly unknown[] {
  let same = before.length === now.length;
  now.forEach((each, i) => {
    now[i] = replaceEqualDeep(before[i], each);
    same &&= now[i] === before[i];
  });
  return same ? before : now;
}
