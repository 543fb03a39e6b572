// Subsets the two typefaces: Latin letters and the punctuation of our texts, the weights that the styles use, and one
// value of the display face's SOFT axis. The first page waits for them, so every kilobyte counts.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subset from 'subset-font';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Latin letters with all accents, and the punctuation of our texts. */
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
