// The boxes on the shelf and what this player has made of them; the games themselves are in `game.ts`.
import type { Box } from './game';
import { Themes, type Cloth, type Theme } from './themes.svelte';

const boxes = import.meta.glob<{ box: Box }>('./*/box.ts', { eager: true });

const folder = (path: string) => path.split('/')[1] ?? '';

/** All games on the shelf, by name. */
export const shelf: Record<string, Box> = Object.fromEntries(
  Object.entries(boxes)
    .map(([path, { box }]) => [folder(path), box] as const)
    .sort(([, a], [, b]) => a.order - b.order),
);

/** Other art and words for a game, for who wants them. */
export const themes = new Themes(import.meta.glob<{ theme: Theme }>('./*/themes/*/index.ts'), (game) => shelf[game]?.theme);

/** The cloth of a game as this player has it; undefined: that is not known yet. */
export const clothOf = (game: string): Cloth | undefined =>
  themes.of(game)?.cloth ?? (themes.settled(game) ? shelf[game]?.cloth : undefined);

/** One sentence about a game, in the words that this player has for it. */
export const aboutOf = (game: string): string => themes.says(game, 'about') ?? shelf[game]?.about() ?? '';
