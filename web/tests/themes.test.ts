// Themes are data: each is complete in three languages and can be read by everyone, and one more folder is
// one more theme.
import { render } from 'svelte/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { settings } from '$device/settings.svelte';
import { languages } from '$device/languages';
import { box } from '$games/plingo/box';
import { sentence } from '$games/plingo/sentences';
import type { PlingoTheme } from '$games/plingo/theme';
import { m, useThemeTexts } from '$games/plingo/messages';
import { themes } from '$games/catalog.svelte';
import { Themes, type ThemeFiles } from '$games/themes.svelte';
import ThemePreview from '$table/ThemePreview.svelte';
import en from '../generated/messages/en.json';
import es from '../generated/messages/es.json';
import fr from '../generated/messages/fr.json';
import { contrast, rgb } from './light';
import Seat from './plingo/Seat.svelte';

type Module = { theme: PlingoTheme };
const own = import.meta.glob<Module>('../src/games/plingo/themes/*/index.ts', { eager: true });
const third = import.meta.glob<Module>('./plingo/themes/*/index.ts');
const lanterns = (await third['./plingo/themes/lanterns/index.ts']?.())?.theme as PlingoTheme;
const all = [...Object.entries(own).map(([path, { theme }]) => [path.split('/').at(-2) ?? '', theme] as const), ['lanterns', lanterns] as const];
const messages: Record<string, Record<string, unknown>> = { en, fr, es };
const LIGHT = rgb('#fffaf0'); // what is written on cloths

const places = (text: unknown) => [...String(text).matchAll(/\{(\w+)\}/g)].map((each) => each[1]).sort();

/** All drawings of a theme. */
function drawn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('<') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(drawn) : [];
}

afterEach(() => {
  settings.themes = {};
  settings.language = null;
  useThemeTexts(() => undefined);
});

describe.each(all)('the theme %s', (_name, theme) => {
  test('has a name, a line about it and the same words in all languages', () => {
    expect(Object.keys(theme.texts).sort()).toEqual([...languages].sort());
    for (const language of languages) {
      const { name, about, words } = theme.texts[language];
      expect(name && about).toBeTruthy();
      expect(Object.keys(words).sort()).toEqual(Object.keys(theme.texts.en.words).sort());
      expect(Object.values(words).every(Boolean)).toBe(true);
    }
  });

  test('says only what the game says, with the same places to fill in', () => {
    for (const language of languages)
      for (const [word, text] of Object.entries(theme.texts[language].words)) {
        expect(messages[language], word).toHaveProperty(`plingo_${word}`);
        expect(places(text), `${language} ${word}`).toEqual(places(messages[language]?.[`plingo_${word}`]));
      }
  });

  test('speaks of oneself as of others', () => {
    const words = Object.keys(theme.texts.en.words);
    for (const word of words.filter((each) => /_(you|other)$/.test(each))) {
      const stem = word.replace(/_(you|other)$/, '');
      const pair = [`plingo_${stem}_you`, `plingo_${stem}_other`, `plingo_${stem}`].filter((each) => each in en);
      expect(words.map((each) => `plingo_${each}`)).toEqual(expect.arrayContaining(pair));
    }
  });

  test('has nine boxes inside its frame, and numerals that can be read in each state', () => {
    const { grid } = theme;
    expect(grid.spots).toHaveLength(9);
    for (const [x, y] of grid.spots) expect(x > 0 && x < grid.size[0] && y > 0 && y < grid.size[1]).toBe(true);
    for (const { fill, ink } of [grid.open, grid.would, grid.ticked]) expect(contrast(rgb(fill), rgb(ink))).toBeGreaterThanOrEqual(4.5);
    // a box that is ticked can be told from one that is not, without any hue
    expect(contrast(rgb(grid.open.fill), rgb(grid.ticked.fill))).toBeGreaterThanOrEqual(3);
  });

  test('lies on a cloth on which words can be read and backs stand out', () => {
    const { light, dark, back } = theme.cloth ?? box.cloth;
    for (const cloth of [light, dark]) {
      expect(contrast(rgb(cloth), LIGHT)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(rgb(cloth), rgb(back))).toBeGreaterThanOrEqual(2);
    }
  });

  test('has a symbol of its own for each colour of the game, or none at all', () => {
    const signs = Object.entries(theme.signs ?? {});
    if (signs.length === 0) return;
    expect(signs.map(([colour]) => colour).sort()).toEqual(['B', 'G', 'P', 'Y']);
    expect(new Set(signs.map(([, art]) => art)).size).toBe(4);
    // the hue stays that of the colour, whatever is drawn
    for (const [, art] of signs) expect(art).not.toMatch(/fill="|stroke="/);
  });

  test('shows three different sides of the master card', () => {
    expect(new Set(Object.values(theme.master)).size).toBe(3);
  });

  test('is drawn without what the policy of the server forbids', () => {
    for (const art of drawn(theme)) expect(art).not.toMatch(/style|<script|href|url\(|\bid=/);
  });
});

describe('a third theme is one more folder', () => {
  const found: ThemeFiles = { ...Object.fromEntries(Object.entries(own).map(([path, module]) => [path.replace('../src/games', '.'), async () => module])), ...third };
  const three = () => new Themes(found, (game) => (game === 'plingo' ? box.theme : undefined));

  test('it is found beside the others, after the first', () => {
    expect(three().names('plingo')).toEqual(['abacus', 'honeycomb', 'lanterns']);
    expect(three().names('merci')).toEqual([]);
  });

  test('the game speaks its words, and its own where it has none', async () => {
    const registry = three();
    registry.choose('plingo', 'lanterns');
    await registry.load('plingo');
    useThemeTexts((word) => registry.text('plingo', word));
    settings.language = 'en';
    const who = (seat: number) => ({ you: seat === 0, name: `S${seat}` });
    expect(sentence({ event: 'ticked', seat: 0, boxes: [3, 4] }, who)).toBe('You light 3 and 4.');
    expect(sentence({ event: 'cancelled', cards: ['B7', 'G7'] }, who)).toBe('They blow each other out: the blue 7 and the green 7.');
    expect(sentence({ event: 'played', seat: 2, card: 'P3' }, who)).toBe('S2 plays the pink 3.');
    settings.language = 'fr';
    expect(m.plingo_cancelled({ cards: 'x' })).toBe('Se soufflent\u00a0: x.');
    registry.choose('plingo', 'abacus');
    expect(m.plingo_cancelled({ cards: 'x' })).toBe('S’annulent\u00a0: x.');
  });

  test('grid, master card, symbols, faces and backs are drawn from it', () => {
    const seat = render(Seat, { props: { theme: lanterns, boxes: [2, 9], side: 'last' } }).body;
    expect(seat.match(/class="lit"/g)).toHaveLength(2);
    expect(seat).toContain('viewBox="0 0 90 30"');
    expect(seat).toContain('class="out"');
    expect(seat).toContain('href="#seat-G"');
    expect(seat).toContain(`id="seat-G" viewBox="0 0 48 48" overflow="visible">${lanterns.signs?.G}`);
    const preview = render(ThemePreview, { props: { box, theme: lanterns } }).body;
    for (const art of [lanterns.face, lanterns.back, lanterns.picture]) expect(preview).toContain(art);
  });
});

describe('what was chosen', () => {
  test('is the first unless another one was', async () => {
    expect(themes.chosen('plingo')).toBe('abacus');
    expect(themes.settled('plingo')).toBe(true);
    settings.themes = { plingo: 'honeycomb' };
    expect(themes.chosen('plingo')).toBe('honeycomb');
    expect(themes.settled('plingo')).toBe(false);
    await themes.load('plingo');
    expect(themes.settled('plingo')).toBe(true);
    expect(themes.of('plingo')).toBe(own['../src/games/plingo/themes/honeycomb/index.ts']?.theme);
  });

  test.each([['tulips'], [''], ['constructor'], [7], [null], [{}], [['honeycomb']]])('and is the first if %j was stored', (stored) => {
    settings.themes = { plingo: stored as string };
    expect(themes.chosen('plingo')).toBe('abacus');
  });

  test('gives way to the first if its file does not come', async () => {
    const broken = new Themes(
      { './plingo/themes/abacus/index.ts': async () => ({ theme: lanterns }), './plingo/themes/gone/index.ts': () => Promise.reject(new Error('offline')) },
      () => 'abacus',
    );
    broken.choose('plingo', 'gone');
    await broken.load('plingo');
    expect(broken.chosen('plingo')).toBe('abacus');
    expect(broken.of('plingo')).toBe(lanterns);
    expect(settings.themes.plingo).toBe('gone'); // for when it can be had
    expect((await broken.all('plingo')).map(({ name }) => name)).toEqual(['abacus']);
  });

  test.each([['"honeycomb"'], ['null'], ['7'], ['true']])('is nothing if the memory holds %s for all games', async (stored) => {
    vi.stubGlobal('localStorage', { getItem: () => `{"name":"Ann","themes":${stored}}` });
    vi.resetModules();
    const { settings: read } = await import('$device/settings.svelte');
    expect(read.themes).toEqual({});
    expect(read.name).toBe('Ann');
    vi.unstubAllGlobals();
  });
});
