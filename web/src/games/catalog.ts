// All games, found by looking into the folders: their boxes at once, their code and themes when they are needed. The
// only file that knows which games there are.
import type { Box, Cloth, GameClient } from './game';
import type { Language } from '$device/languages';
import { frenchSpacing } from '$device/typography';
import type { Lesson, LessonTexts } from './lesson';
import { Themes, type Theme } from './themes.svelte';

const boxes = import.meta.glob<{ box: Box }>('./*/box.ts', { eager: true });
const clients = import.meta.glob<{ game: GameClient }>('./*/index.ts');

const lessons = import.meta.glob<unknown>('../../generated/lessons/*.json', { import: 'default' });

const folder = (path: string) => path.split('/')[1] ?? '';

/** The boxes by game, in their order on the home page. */
export const catalog: Record<string, Box> = Object.fromEntries(
  Object.entries(boxes)
    .map(([path, { box }]) => [folder(path), box] as const)
    .sort(([, a], [, b]) => a.order - b.order),
);

export const themes = new Themes(import.meta.glob<{ theme: Theme }>('./*/themes/*/index.ts'), (game) => catalog[game]?.theme);

/** Whether this client can play a game, beside showing its box. */
export const isPlayable = (game: string): boolean => `./${game}/index.ts` in clients;

export async function loadGame(game: string): Promise<GameClient> {
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
