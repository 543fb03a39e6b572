// What did not change from one message to the next stays the same object: who draws it sees at once that
// there is nothing to draw anew.
import type { Change, Update, Welcome } from '$generated/wire';

/** What a change makes of what was known. */
export function whole(before: Update | Welcome | null, { view, gone, more, ...rest }: Change): Update {
  const legal = before?.legal ?? [];
  const left = gone.length > 0 ? legal.filter((each) => !gone.includes(each)) : legal;
  return { ...rest, type: 'update', view: { ...(before?.view as object), ...view }, legal: more.length > 0 ? left.concat(more) : left };
}

/** A value that just came, with the equal parts of the one before in their places. */
export function share<T>(before: unknown, now: T): T {
  if (before === now || typeof now !== 'object' || now === null || typeof before !== 'object' || before === null) return now;
  if (Array.isArray(now)) return Array.isArray(before) ? (list(before, now) as T) : now;
  const old = before as Record<string, unknown>;
  const fresh = now as Record<string, unknown>;
  let same = true;
  for (const key in fresh) {
    fresh[key] = share(old[key], fresh[key]);
    same &&= fresh[key] === old[key];
  }
  for (const key in old) same &&= key in fresh;
  return same ? (before as T) : now;
}

function list(before: readonly unknown[], now: unknown[]): readonly unknown[] {
  let same = before.length === now.length;
  now.forEach((each, i) => {
    now[i] = share(before[i], each);
    same &&= now[i] === before[i];
  });
  return same ? before : now;
}
