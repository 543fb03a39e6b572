// Gathers all messages of the client into one file a language, for the message compiler: the client's own
// (web/messages), those in a game's folder (web/src/games/*/texts, prefixed by the game's name), and those that the
// Python package has already (src/pli/**/texts/*.toml). A game with themes also gets a module of its messages by key,
// since a theme may replace any of them; and each game one of those with which its events are told.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { frenchSpacing } from '../src/device/typography.js';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const python = join(web, '..', 'src', 'pli');
const languages = ['en', 'fr', 'es'];

/** The tables of a game's language file that the client uses. */
const tables = ['events', 'errors', 'words', 'backs', 'modes', 'levels'];

/** Those with which events are told. */
const toldTables = ['events', 'words', 'backs', 'levels'];

/** A key as the compiler accepts it, and a text with its placeholders without Python's format specifiers. */
const nameOf = (path) => path.replaceAll('-', '_');
const plain = (text) => text.replace(/\{(\w+):[^}]*\}/g, '{$1}');

const flat = (value, path) =>
  typeof value === 'string'
    ? { [nameOf(path)]: plain(value) }
    : Object.assign({}, ...Object.entries(value).map(([key, each]) => flat(each, `${path}_${key}`)));

const json = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});

const prefixed = (messages, prefix) =>
  Object.fromEntries(Object.entries(messages).map(([key, text]) => [`${prefix}_${key}`, text]));

function gathered(language) {
  const all = json(join(web, 'messages', `${language}.json`));
  const shared = parse(readFileSync(join(python, 'texts', `${language}.toml`), 'utf8'));
  Object.assign(all, flat(shared.colours, 'colour'), flat(shared.cards, 'card'));
  for (const game of readdirSync(join(web, 'src', 'games'), { withFileTypes: true })) {
    if (!game.isDirectory() || !existsSync(join(python, 'games', game.name))) continue; // the generic one has no texts
    const texts = parse(
      readFileSync(join(python, 'games', game.name, 'texts', `${language}.toml`), 'utf8'),
    );
    Object.assign(all, { [`${game.name}_name`]: texts.name, [`${game.name}_by`]: texts.by ?? '' });
    for (const table of tables) {
      const name = table === 'events' ? game.name : `${game.name}_${table}`;
      if (texts[table]) Object.assign(all, flat(texts[table], name));
    }
    const own = json(join(web, 'src', 'games', game.name, 'texts', `${language}.json`));
    Object.assign(all, prefixed(own, game.name));
  }
  if (language !== 'fr') return all;
  return Object.fromEntries(Object.entries(all).map(([key, text]) => [key, typeof text === 'string' ? frenchSpacing(text) : text]));
}

function written(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

const messages = Object.fromEntries(languages.map((language) => [language, gathered(language)]));
for (const language of languages) {
  const missing = Object.keys(messages.en).filter((key) => !(key in messages[language]));
  const extra = Object.keys(messages[language]).filter((key) => !(key in messages.en));
  if (missing.length || extra.length) {
    console.error(`${language}: missing ${missing.join(', ') || '-'}; unknown ${extra.join(', ') || '-'}`);
    process.exit(1);
  }
  written(join(web, 'generated', 'messages', `${language}.json`), JSON.stringify(messages[language], null, 1));
}
/** A module of some messages by their names. */
function module(folder, game, names) {
  const lines = names.map((name) => `  ${name}: m.${name},\n`).join('');
  const head = `import * as m from '../texts/messages.js';\n\n`;
  written(join(web, 'generated', folder, `${game}.ts`), `${head}export const messages = {\n${lines}};\n`);
}

for (const game of readdirSync(join(python, 'games'))) {
  const file = join(python, 'games', game, 'texts', 'en.toml');
  if (!existsSync(file)) continue;
  const texts = parse(readFileSync(file, 'utf8'));
  const told = toldTables.flatMap((table) => Object.keys(flat(texts[table] ?? {}, table === 'events' ? game : `${game}_${table}`)));
  module('told', game, told);
  if (existsSync(join(web, 'src', 'games', game, 'themes'))) module('words', game, Object.keys(messages.en).filter((key) => key.startsWith(`${game}_`)));
}
