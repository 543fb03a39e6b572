// The box of a game from outside on the home page: its words from the server, its cloth and picture from its name.
import { addFrenchSuits } from '$art/french';
import { chooser } from '$art/hash';
import { language } from '$device/i18n.svelte';
import type { Language } from '$device/languages';
import { frenchSpacing } from '$device/typography';
import type { Box, Cloth, Described } from '../game';
import { filled, type Texts } from '../sentences';
import OutsidePicture from './OutsidePicture.svelte';

/** Cloths of which each name has one; none is that of a game in the package. */
const cloths: readonly Cloth[] = [
  { light: '#3f5d2b', dark: '#28401a', back: '#c98a3c' },
  { light: '#7a3b2e', dark: '#4f241b', back: '#3f6f7c' },
  { light: '#2f5873', dark: '#1d3a4d', back: '#d08a4e' },
  { light: '#5a4470', dark: '#3a2b4b', back: '#c4a04a' },
  { light: '#6a5326', dark: '#453516', back: '#4b7f73' },
  { light: '#2c6456', dark: '#1a4238', back: '#c86a58' },
];

/** On the shelf after the games of the package. */
const LATER = 100;

export interface OutsideTexts extends Texts {
  /** As it stands in the file; undefined: there is none. */
  get(key: string): string | undefined;
}

/** The texts of a game from outside: in the page's language, or in English where the game has no other. */
export function textsOf({ table }: Described): OutsideTexts {
  const get = (key: string): string | undefined => {
    const text = table.texts[language()]?.[key];
    return text !== undefined && languageOf(key) === 'fr' ? frenchSpacing(text) : text;
  };
  const languageOf = (key: string): Language => (table.texts[language()]?.[key] === table.texts.en?.[key] ? 'en' : language());
  return { get, has: (key) => get(key) !== undefined, say: (key, values) => filled(get(key) ?? '', values), languageOf };
}

export function boxOf(game: Described): Box {
  addFrenchSuits();
  const { name, seats } = game.info;
  const texts = textsOf(game);
  const all = [...seats].sort((a, b) => a - b);
  return {
    name: () => texts.get('name') ?? name,
    by: () => texts.get('by') ?? '',
    about: () => texts.get('about') ?? '',
    minutes: texts.get('minutes') ?? '',
    seats: [all[0] ?? 2, all.at(-1) ?? 2],
    cloth: chooser(name)(cloths),
    order: LATER,
    drawn: { name: texts.get('name') ?? name, suits: game.table.suits, Picture: OutsidePicture },
  };
}
