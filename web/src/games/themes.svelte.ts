// Themes: other art and words for a game, which each player chooses for this device. A theme is a folder
// in its game's folder `themes`, found by looking, and its file is fetched when it is to be seen.
import type { Art } from '$art/art';
import type { Colour } from '$art/cards';
import { language } from '$device/i18n.svelte';
import type { Language } from '$device/languages';
import { settings } from '$device/settings.svelte';
import { frenchSpacing } from '$device/typography';
import type { Cloth } from './game';

export interface ThemeTexts {
  name: string;
  /** One sentence: what it is, and what the symbols are called. */
  about: string;
  /** The game's sentences that this theme says otherwise, by their names without the game's. */
  words: Record<string, string>;
}

/** What every theme has; what else it draws is known to its game. */
export interface Theme extends Art {
  /** Without it, the cloth of the box. */
  cloth?: Cloth;
  /** On the box, 240 × 220; without it, the picture of the box. */
  picture?: string;
  /** A card that shows at a glance how cards look. */
  sample: `${Colour}${number}`;
  texts: Record<Language, ThemeTexts>;
}

export type ThemeFiles = Record<string, () => Promise<{ theme: Theme }>>;

export class Themes {
  private loaded = $state.raw<Readonly<Record<string, Theme>>>({});
  /** Files that did not come: what was chosen gives way to the first. */
  private lost = $state.raw<readonly string[]>([]);
  private readonly found = new Map<string, string[]>();

  /** `files` by path, as looking into the folders gives them; `first` names the theme that a game has
   * unless another one is chosen. */
  constructor(
    private readonly files: ThemeFiles,
    first: (game: string) => string | undefined,
  ) {
    for (const path of Object.keys(files).sort()) {
      const [, game = '', , name = ''] = path.split('/');
      const others = this.found.get(game) ?? [];
      this.found.set(game, name === first(game) ? [name, ...others] : [...others, name]);
    }
  }

  /** The themes of a game, the first one first. */
  names(game: string): readonly string[] {
    return this.found.get(game) ?? [];
  }

  /** The name of the theme that is to be seen; undefined: the game has none. */
  chosen(game: string): string | undefined {
    const names = this.names(game);
    const wanted = settings.themes[game];
    return names.find((name) => name === wanted && !this.lost.includes(`${game}/${name}`)) ?? names[0];
  }

  choose(game: string, name: string): void {
    settings.themes[game] = name;
  }

  /** The theme that is to be seen; null: it is not there yet, or there is none. */
  of(game: string): Theme | null {
    return this.loaded[`${game}/${this.chosen(game)}`] ?? null;
  }

  /** Whether it is known what the game's box looks like: the first theme is its own. */
  settled(game: string): boolean {
    return this.of(game) !== null || this.chosen(game) === this.names(game)[0];
  }

  /** Fetches the theme that is to be seen. */
  async load(game: string): Promise<void> {
    const name = this.chosen(game);
    if (name === undefined) return;
    try {
      await this.fetch(game, name);
    } catch (error) {
      if (name === this.names(game)[0]) throw error;
      this.lost = [...this.lost, `${game}/${name}`];
      await this.load(game);
    }
  }

  /** All themes of a game that can be had, to choose from. */
  async all(game: string): Promise<{ name: string; theme: Theme }[]> {
    const names = this.names(game);
    const themes = await Promise.allSettled(names.map((name) => this.fetch(game, name)));
    return themes.flatMap((each, i) => (each.status === 'fulfilled' ? { name: names[i] ?? '', theme: each.value } : []));
  }

  /** A sentence in the words of the theme; undefined: it has none of its own. */
  text(game: string, word: string): string | undefined {
    const text = this.of(game)?.texts[language()].words[word];
    return text !== undefined && language() === 'fr' ? frenchSpacing(text) : text;
  }

  private async fetch(game: string, name: string): Promise<Theme> {
    const key = `${game}/${name}`;
    const there = this.loaded[key];
    if (there) return there;
    const file = this.files[`./${game}/themes/${name}/index.ts`];
    if (!file) throw new Error(`no theme ${key}`);
    const { theme } = await file();
    this.loaded = { ...this.loaded, [key]: theme };
    return theme;
  }
}
