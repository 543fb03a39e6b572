// The folders of the client, what each is for, and what each may import. Arrows go one way; a game is found by
// looking into its folder and is imported by nothing.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** Each folder with those that it may import; `games` is what all games share, `games/*` a game. */
const allowed: Record<string, readonly string[]> = {
  device: [], // the browser: storage, settings, language, keyboard, touch, sounds, address bar
  art: ['device'], // symbols, cards, portraits, icons
  layout: ['device'], // where seats and cards are drawn, and how they move
  ui: ['art', 'device', 'layout'], // dialogs, switches, charts: no word of games
  net: ['device'], // the protocol: HTTP, socket, outbox, deltas
  proof: ['device'], // the page's part in the shuffle, and its verification
  games: ['art', 'device'], // the contract of a game, the catalog, themes, what trick-taking games share
  session: ['art', 'device', 'games', 'net', 'proof'], // what is shown when: live or as a replay
  table: ['art', 'device', 'games', 'layout', 'session', 'ui'], // the table that all games share
  'games/*': ['art', 'device', 'games', 'layout', 'session', 'table', 'ui'],
  pages: ['art', 'device', 'games', 'layout', 'net', 'proof', 'session', 'table', 'ui'],
};

/** Where games and texts are found by looking into folders. */
const globs = ['games/catalog.svelte.ts', 'table/RulesText.svelte'];

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|js|svelte)$/.test(name));

/** The folder of a file, and which game it is of; null: App, main and the like, which may import all. */
function folderOf(file: string): { folder: string; game: string } | null {
  const [folder = '', game = '', deeper] = file.split('/');
  if (game === '') return null;
  return folder === 'games' && deeper !== undefined ? { folder: 'games/*', game } : { folder, game: '' };
}

/** The file that an import names; null: it is not in src. */
function resolve(from: string, name: string): string | null {
  const path = name.startsWith('$') ? name.slice(1) : name.startsWith('.') ? normalize(join(dirname(from), name)) : null;
  if (path === null || path.startsWith('generated/') || path.startsWith('..')) return null;
  return [path, `${path}.ts`, `${path}.js`, `${path}/index.ts`].find((each) => files.includes(each)) ?? null;
}

const textOf = (file: string): string => readFileSync(join(src, file), 'utf8');

/** All imports, those of types and those at run time too. */
const imports = new Map(
  files.map((file) => {
    const names = [...textOf(file).matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map((each) => each[1] ?? '');
    return [file, names.flatMap((name) => resolve(file, name) ?? [])] as const;
  }),
);

test('every import is understood', () => {
  const count = [...imports.values()].flat().length;
  expect(count).toBeGreaterThan(500);
  for (const file of files) {
    for (const [, name = ''] of textOf(file).matchAll(/\bfrom '([.$][^']+)'/g)) {
      if (name.startsWith('$generated/') || name.endsWith('.svg') || name.endsWith('.json')) continue;
      expect(resolve(file, name), `${file}: ${name}`).not.toBeNull();
    }
  }
});

test('every folder is known, with what it may import', () => {
  const found = new Set(files.flatMap((file) => folderOf(file)?.folder ?? []));
  expect([...found].sort()).toEqual(Object.keys(allowed).sort());
});

test('a folder imports only what it may, and no game another game', () => {
  const wrong = [...imports].flatMap(([file, targets]) => {
    const from = folderOf(file);
    if (!from) return [];
    return targets
      .filter((target) => {
        const to = folderOf(target);
        if (!to) return true;
        return to.folder === from.folder ? to.game !== from.game : !allowed[from.folder]?.includes(to.folder);
      })
      .map((target) => `${file} -> ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('the arrows between folders form no cycle', () => {
  const reached = (folder: string, on: readonly string[]): void => {
    expect(on, [...on, folder].join(' -> ')).not.toContain(folder);
    for (const next of allowed[folder] ?? []) reached(next, [...on, folder]);
  };
  for (const folder of Object.keys(allowed)) reached(folder, []);
});

test('no file imports itself by way of others', () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, on: readonly string[]): void => {
    if (on.includes(file)) cycles.push([...on.slice(on.indexOf(file)), file].join(' -> '));
    if (done.has(file) || on.includes(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...on, file]);
    done.add(file);
  };
  files.forEach((file) => visit(file, []));
  expect(cycles).toEqual([]);
});

test('folders are looked into in two places alone', () => {
  const found = files.filter((file) => /import\.meta\.glob[<(]/.test(textOf(file)));
  expect(found.sort()).toEqual([...globs].sort());
});
