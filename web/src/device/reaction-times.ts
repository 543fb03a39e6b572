// Reaction times of this device's player in the real-time games: a stored list, newest last, and its histogram.
import { loadList, save } from './storage';

const key = (game: string): string => `pli.${game}.reactions`;
const MOST = 600;

export interface Reaction {
  /** The id of one game, to tell it from those before. */
  game: string;
  mode: string;
  ms: number;
}

/** `game` is the game's name, as in a catalog. */
export const storedReactions = (game: string): Reaction[] => loadList<Reaction>(key(game)).filter((each) => Number.isFinite(each?.ms));

export function storeReaction(game: string, id: string, mode: string, ms: number): void {
  save(key(game), [...storedReactions(game), { game: id, mode, ms }].slice(-MOST));
}

/** A bin of the histogram. */
export interface Bin {
  /** Its lower edge, in seconds. */
  from: number;
  before: number;
  now: number;
}

const EDGES = [0, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 20, 40];

/** How many reactions fall into each bin: those of this game, and those of games before. */
export function histogram(list: readonly Reaction[], game: string): Bin[] {
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

/** The median of fewer reactions says nothing. */
const FEW = 3;

export interface Summary {
  median: number;
  n: number;
}

/** Of this game and of those before; null: too few for a median. */
export function summaries(list: readonly Reaction[], game: string): { now: Summary | null; before: Summary | null } {
  const of = (some: readonly Reaction[]) => (some.length < FEW ? null : { median: median(some.map(({ ms }) => ms)), n: some.length });
  return { now: of(list.filter((each) => each.game === game)), before: of(list.filter((each) => each.game !== game)) };
}
