// What did not change from one message to the next stays the same object: who draws it sees at once that
// there is nothing to draw anew.

/** A value that just came, with the equal parts of the one before in their places. */
export function share<T>(before: unknown, now: T): T {
  if (typeof now !== 'object' || now === null || typeof before !== 'object' || before === null) return now;
  if (Array.isArray(now) !== Array.isArray(before)) return now;
  const old = before as Record<string, unknown>;
  const fresh = now as Record<string, unknown>;
  const keys = Object.keys(fresh);
  let same = keys.length === Object.keys(old).length;
  for (const key of keys) {
    fresh[key] = share(old[key], fresh[key]);
    same &&= fresh[key] === old[key];
  }
  return same ? (before as T) : now;
}
