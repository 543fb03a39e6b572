// The pages of rules as HTML. `[B7]` becomes a placeholder where the client draws the card; `![](backs/gift.svg)` is an
// image from the game's folder; comments tie sentences to the ledger of rules and are dropped.
import { marked } from 'marked';
import { frenchSpacing } from '../src/device/typography.js';

export function pageOf(markdown, language) {
  const shown = markdown
    .replace(/ *<!--.*?-->/g, '')
    // A card and the punctuation after it stay on one line.
    .replace(/\[([BGYPO]\d+)\]( ?[:;]|[.,]|)/g, '<span class="card-at"><span data-card="$1"></span>$2</span>');
  const html = marked.parse(shown, { async: false });
  return language === 'fr' ? frenchSpacing(html) : html;
}

/** A module that exports the HTML, with images at the addresses where the bundler puts them. */
export function moduleOf(html, folder) {
  const pictures = [...new Set(Array.from(html.matchAll(/<img src="([^"]+)"/g), ([, file]) => file))];
  const imports = pictures.map((file, i) => `import picture${i} from ${JSON.stringify(`${folder}/${file}`)};`);
  const filled = pictures.reduce(
    (text, file, i) => text.replaceAll(`src=\\"${file}\\"`, `src=\\"" + picture${i} + "\\"`),
    JSON.stringify(html),
  );
  return [...imports, `export default ${filled};`].join('\n');
}
