// Draws the grounds of link previews from the boxes of the games: cloth, weave and picture, without words. The server
// writes the words over them (pli.server.sprites.preview).
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compile } from 'svelte/compiler';
import { render } from 'svelte/server';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const games = here('../src/games');
const out = here('../generated/previews');

/** A picture without script, as the markup that it draws. */
async function markup(game) {
  const source = await readFile(`${games}/${game}/Picture.svelte`, 'utf8');
  const file = `${out}/${game}.mjs`;
  await writeFile(file, compile(source, { generate: 'server', filename: 'Picture.svelte' }).js.code);
  const { default: Picture } = await import(`file://${file}`);
  const text = render(Picture).body.replace(/<!--.*?-->/gs, '');
  return text.slice(text.indexOf('>', text.indexOf('<svg')) + 1, text.lastIndexOf('</svg>'));
}

await mkdir(out, { recursive: true });
const weave = await readFile(here('../src/styles/weave.svg'), 'utf8');
const threads = weave.slice(weave.indexOf('>') + 1, weave.lastIndexOf('</svg>'));
/** The ground in some colours. */
const ground = (cloth, ink, picture) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630" color="${ink}">
<defs><pattern id="weave" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="scale(2)">${threads}</pattern></defs>
<rect width="1200" height="630" fill="${cloth}"/><rect width="1200" height="630" fill="url(#weave)"/>
<rect x="26" y="26" width="1148" height="578" rx="22" fill="none" stroke="${ink}" stroke-opacity="0.28" stroke-width="3" stroke-dasharray="12 9" stroke-linecap="round"/>
<g transform="translate(64 82) scale(2.1)">${picture}</g>
</svg>
`;

for (const { name: game } of (await readdir(games, { withFileTypes: true })).filter((each) => existsSync(`${games}/${each.name}/Picture.svelte`))) {
  const box = await readFile(`${games}/${game}/box.ts`, 'utf8');
  const cloth = /cloth: \{ light: '(#\w+)'/.exec(box)?.[1];
  const ink = /ink: '(?:light-dark\()?(#\w+)/.exec(box)?.[1] ?? '#fffaf0';
  if (!cloth) throw new Error(`${game} has no cloth`);
  await writeFile(`${out}/preview-${game}.svg`, ground(cloth, ink, await markup(game)));
}

/** For games from outside, of which nothing is known here: a fan of cards. */
const card = (turn, paint) => `<g transform="rotate(${turn} 120 232)"><rect x="76" y="42" width="88" height="127" rx="9" fill="#fffaf0" stroke="#b9a68a" stroke-width="1.5"/><path d="M120 78 142 106 120 134 98 106Z" fill="${paint}"/></g>`;
const fan = [card(-17, '#2b66d9'), card(0, '#1c7a4c'), card(17, '#b0352c')].join('');
await writeFile(`${out}/preview-outside.svg`, ground('#2c6456', '#fffaf0', fan));
