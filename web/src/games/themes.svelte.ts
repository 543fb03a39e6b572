// Themes: other art and words for a game, chosen by each player for this device. A theme is a folder in its game's
// folder `themes`, and is fetched when it is needed.
import type { Art } from '$art/art';
import type { Colour } from '$art/cards';
import { language } from '$device/i18n.svelte';
import type { Language } from '$device/languages';
import { settings } from '$device/settings.svelte';
import { frenchSpacing } from '$device/typography';
import type { Cloth } from './game';

export interface ThemeTexts {
  name: string;
  /** One sentence: what it shows, and the names of its symbols. */
  about: string;
  /** The messages that this theme replaces, by their keys without the game's prefix. */
  words: Record<string, string>;
}

/** What every theme has; a game may ask for more. */
export interface Theme extends Art {
  /** Default: the cloth of the box. */
  cloth?: Cloth;
  /** On the box, 240 × 220; default: the picture of the box. */
  picture?: string;
  /** The card shown in the preview. */
  sample: `${Colour}${number}`;
  texts: Record<Language, ThemeTexts>;
}

export type ThemeFiles = Record<string, () => Promise<{ theme: Theme }>>;

export class Themes {
  private loaded = $state.raw<Readonly<Record<string, Theme>>>({});
  /** Themes that could not be fetched: the default is used instead. */
  private lost = $state.raw<readonly string[]>([]);
  private readonly found = new Map<string, string[]>();

  /** `files` are loaders by path, as `import.meta.glob` gives them; `first` names the default theme of a game. */
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

  /** The themes of a game, the default first. */
  names(game: string): readonly string[] {
    return this.found.get(game) ?? [];
  }

  /** The name of the theme in use; undefined: the game has none. */
  chosen(game: string): string | undefined {
    const names = this.names(game);
    const wanted = settings.themes[game];
    return names.find((name) => name === wanted && !this.lost.includes(`${game}/${name}`)) ?? names[0];
  }

  choose(game: string, name: string): void {
    settings.themes[game] = name;
  }

  /** The theme in use; null: it is not loaded, or there is none. */
  of(game: string): Theme | null {
    return this.loaded[`${game}/${this.chosen(game)}`] ?? null;
  }

  /** Whether the look of the game's box is known: with the default theme it is the box's own. */
  settled(game: string): boolean {
    return this.of(game) !== null || this.chosen(game) === this.names(game)[0];
  }

  /** Fetches the theme in use. */
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

  /** All themes of a game that can be fetched. */
  async all(game: string): Promise<{ name: string; theme: Theme }[]> {
    const names = this.names(game);
    const themes = await Promise.allSettled(names.map((name) => this.fetch(game, name)));
    return themes.flatMap((each, i) => (each.status === 'fulfilled' ? { name: names[i] ?? '', theme: each.value } : []));
  }

  /** A theme's text for a message; undefined: it has none of its own. */
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
