// All games, found by looking into the folders: their boxes at once, their code and themes when they are needed; and
// games of the server's that this client has no code for, which are shown by the generic one. The only file that knows
// which games there are.
import type { Box, Cloth, Described, GameClient } from './game';
import type { Language } from '$device/languages';
import { frenchSpacing } from '$device/typography';
import type { Lesson, LessonTexts } from './lesson';
import { Themes, type Theme } from './themes.svelte';

const boxes = import.meta.glob<{ box: Box }>('./*/box.ts', { eager: true });
const clients = import.meta.glob<{ game: GameClient }>(['./*/index.ts', '!./generic/*']);

/** What shows games from outside, fetched when there are any. */
const [loadBoxes] = Object.values(import.meta.glob<{ boxOf: (game: Described) => Box }>('./generic/outside-box.ts'));
const [loadGeneric] = Object.values(import.meta.glob<{ clientOf: (game: Described) => GameClient }>('./generic/index.ts'));

const lessons = import.meta.glob<unknown>('../../generated/lessons/*.json', { import: 'default' });

const folder = (path: string) => path.split('/')[1] ?? '';

/** The boxes by game, in their order on the home page; then those of games from outside, once they are described. */
export const catalog: Record<string, Box> = $state(
  Object.fromEntries(
    Object.entries(boxes)
      .map(([path, { box }]) => [folder(path), box] as const)
      .sort(([, a], [, b]) => a.order - b.order),
  ),
);

/** The games from outside, as the server describes them. */
const described = new Map<string, Described>();

/** Makes games from outside known to this page. */
export async function addGames(games: readonly Described[]): Promise<void> {
  if (!loadBoxes) throw new Error('the boxes of games from outside are missing');
  const { boxOf } = await loadBoxes();
  for (const each of games) {
    described.set(each.info.name, each);
    catalog[each.info.name] = boxOf(each);
  }
}

export const themes = new Themes(import.meta.glob<{ theme: Theme }>('./*/themes/*/index.ts'), (game) => catalog[game]?.theme);

/** Whether this client can play a game, beside showing its box. */
export const isPlayable = (game: string): boolean => `./${game}/index.ts` in clients || game in catalog;

export async function loadGame(game: string): Promise<GameClient> {
  const found = described.get(game);
  if (found && loadGeneric) return (await loadGeneric()).clientOf(found);
  const load = clients[`./${game}/index.ts`];
  if (!load) throw new Error(`no game ${game}`);
  const [{ game: client }] = await Promise.all([load(), themes.load(game)]);
  client.useThemeTexts?.((word) => themes.text(game, word));
  return client;
}

/** The cloth of a game in the chosen theme; undefined: the theme is not loaded yet. */
export const clothOf = (game: string): Cloth | undefined =>
  themes.of(game)?.cloth ?? (themes.settled(game) ? catalog[game]?.cloth : undefined);

/** One sentence about a game, in the words of the chosen theme. */
export const aboutOf = (game: string): string => themes.text(game, 'about') ?? catalog[game]?.about() ?? '';

const lessonFile = (game: string, language = '') => `../../generated/lessons/${game}${language && `.${language}`}.json`;

/** Whether there is a lesson of a game. */
export const hasLesson = (game: string): boolean => lessonFile(game) in lessons;

export const loadLesson = async (game: string): Promise<Lesson> => (await lessons[lessonFile(game)]?.()) as Lesson;

export async function loadLessonTexts(game: string, language: Language): Promise<LessonTexts> {
  const { texts, errors } = (await lessons[lessonFile(game, language)]?.()) as LessonTexts;
  if (language !== 'fr') return { texts, errors };
  const spaced = (all: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(all).map(([key, text]) => [key, frenchSpacing(text)]));
  return { texts: spaced(texts), errors: spaced(errors) };
}
