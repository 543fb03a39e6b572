// localStorage as JSON. Storage may be forbidden, full, or hold something else under a key: reading then gives
// nothing and writing does nothing, so that the page works without it.

/** The value under a key; null: there is none that can be read. */
export function load(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** The list under a key; empty if there is none. */
export function loadList<T>(key: string): T[] {
  const found = load(key);
  return Array.isArray(found) ? (found as T[]) : [];
}

export function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // nothing is remembered then
  }
}

/** The keys under which this site has stored something. */
export function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).sort();
  } catch {
    return [];
  }
}
