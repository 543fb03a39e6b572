// The pages of rules, turned into HTML when the client is built (src/device/markdown.js), as modules.

export { pageOf } from '../src/device/markdown.js';

/** A module that exports both, with images at the addresses where the bundler puts them. */
export function moduleOf({ title, html }, folder) {
  const pictures = [...new Set(Array.from(html.matchAll(/<img src="([^"]+)"/g), ([, file]) => file))];
  const imports = pictures.map((file, i) => `import picture${i} from ${JSON.stringify(`${folder}/${file}`)};`);
  const filled = pictures.reduce(
    (text, file, i) => text.replaceAll(`src=\\"${file}\\"`, `src=\\"" + picture${i} + "\\"`),
    JSON.stringify(html),
  );
  return [...imports, `export const title = ${JSON.stringify(title)};`, `export const html = ${filled};`].join('\n');
}
