// A page of rules as HTML, when the client is built, or in the page for games from outside: the title, and the text,
// whose headings are one level lower, since it stands under "In full". `[B7]` and `[HQ]` become placeholders where the
// client draws the card; `![](backs/gift.svg)` is an image from the game's folder; comments tie sentences to the ledger
// of rules and are dropped. A section whose heading has such a mark (the fine print, house rules) is folded.
import { marked } from 'marked';
import { frenchSpacing } from './typography.js';

function htmlOf(markdown, language) {
  const shown = markdown
    .replace(/ *<!--.*?-->/g, '')
    // A card and the punctuation after it stay on one line.
    .replace(/\[([BGYPO]\d+|[CDHS](?:\d+|[TJQKA]))\]( ?[:;]|[.,]|)/g, '<span class="card-at"><span data-card="$1"></span>$2</span>');
  const html = marked.parse(shown, { async: false });
  return language === 'fr' ? frenchSpacing(html) : html;
}

const lower = (html) => html.replace(/(<\/?h)([2-5])>/g, (_, tag, level) => `${tag}${Number(level) + 1}>`);

/** A section from its heading on. */
function sectionOf(markdown, language) {
  const html = lower(htmlOf(markdown, language));
  if (!/^## .*<!-- \w+ -->/.test(markdown)) return html;
  return html.replace(/^(<h3>.*?<\/h3>)\n([^]*)$/, '<details>\n<summary>$1</summary>\n$2</details>\n');
}

/**
 * @param {string} markdown
 * @param {string} language
 * @returns {{ title: string; html: string }}
 */
export function pageOf(markdown, language) {
  const [, title, text] = /^(?:# (.*)\n)?([^]*)$/.exec(markdown);
  return {
    title: title ? htmlOf(title, language).replace(/^<p>|<\/p>\n$/g, '') : '',
    html: text.split(/^(?=## )/m).map((section) => sectionOf(section, language)).join(''),
  };
}

