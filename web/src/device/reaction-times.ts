// How quick one was in games in which that matters, remembered on this device: a list, the newest last.
const key = (kind: string): string => `pli.${kind}.reactions`;
const MOST = 600;

export interface Reaction {
  game: string;
  mode: string;
  ms: number;
}

export function reactions(kind: string): Reaction[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key(kind)) ?? '[]');
    return Array.isArray(found) ? (found as Reaction[]).filter((each) => Number.isFinite(each?.ms)) : [];
  } catch {
    return []; // storage may be forbidden or hold something else
  }
}

export function keepReaction(kind: string, game: string, mode: string, ms: number): void {
  try {
    localStorage.setItem(key(kind), JSON.stringify([...reactions(kind), { game, mode, ms }].slice(-MOST)));
  } catch {
    // nothing is remembered then
  }
}

export interface Column {
  /** Seconds from which on. */
  from: number;
  before: number;
  now: number;
}

const EDGES = [0, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 20, 40];

/** How many took how long: those of this game, and those of games before. */
export function columns(list: readonly Reaction[], game: string): Column[] {
  return EDGES.map((from, i) => {
    const to = EDGES[i + 1] ?? Infinity;
    const inside = list.filter(({ ms }) => ms / 1000 >= from && ms / 1000 < to);
    const now = inside.filter((each) => each.game === game).length;
    return { from, now, before: inside.length - now };
  });
}

export function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
