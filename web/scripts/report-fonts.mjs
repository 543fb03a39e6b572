// The typefaces of the lab's reports, which carry them along: fewer letters than the page's, and one weight of the display
// face. They are kept in the package, since a report is written without the client: `npm run prepare:report-fonts`.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subset from 'subset-font';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const range = (from, to) => Array.from({ length: to - from }, (_, i) => String.fromCodePoint(from + i)).join('');
const letters = `${range(0x20, 0x7f)}${range(0xa0, 0x100)}ŒœŸ–—‘’“”„…•€−×·≥≤→\u2009\u202f`;

const faces = {
  display: { package: 'fraunces', file: 'fraunces-latin-soft-normal.woff2', axes: { SOFT: 100, wght: 620 } },
  plain: { package: 'nunito', file: 'nunito-latin-wght-normal.woff2', axes: { wght: { min: 400, max: 800 } } },
};

const fonts = here('../../src/pli/study/report/fonts');
await mkdir(fonts, { recursive: true });
for (const [name, face] of Object.entries(faces)) {
  const folder = here(`../node_modules/@fontsource-variable/${face.package}`);
  const whole = await readFile(`${folder}/files/${face.file}`);
  await writeFile(`${fonts}/${name}.woff2`, await subset(whole, letters, { targetFormat: 'woff2', variationAxes: face.axes }));
  await copyFile(`${folder}/LICENSE`, `${fonts}/${face.package}.LICENSE`);
}
