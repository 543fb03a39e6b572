// Cuts the two typefaces down to what is used: the letters of our languages and their neighbours, the
// weights that the styles name, and of the display face its soft form alone. They come with the first
// page, so every kilobyte is waited for.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subset from 'subset-font';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Latin letters with all their accents, and the signs that our sentences use. */
const letters = Array.from({ length: 0x180 - 0x20 }, (_, i) => String.fromCodePoint(0x20 + i)).join('');
const signs = '–—‘’“”„…•€∅␣←→\u202f';

const faces = {
  display: {
    file: 'fraunces/files/fraunces-latin-soft-normal.woff2',
    axes: { SOFT: 100, wght: { min: 500, max: 850 } },
  },
  plain: { file: 'nunito/files/nunito-latin-wght-normal.woff2', axes: { wght: { min: 400, max: 850 } } },
};

await mkdir(here('../generated/fonts'), { recursive: true });
for (const [name, { file, axes }] of Object.entries(faces)) {
  const whole = await readFile(here(`../node_modules/@fontsource-variable/${file}`));
  const cut = await subset(whole, letters + signs, { targetFormat: 'woff2', variationAxes: axes });
  await writeFile(here(`../generated/fonts/${name}.woff2`), cut);
}
