import { expect, test } from 'vitest';
import { moduleOf, pageOf } from '../scripts/pages.mjs';

const textOf = (markdown: string, language = 'en'): string => pageOf(markdown, language).html;

test('a card in the text is a place where the page draws it', () => {
  expect(textOf('Ann leads [G10].')).toBe('<p>Ann leads <span class="card-at"><span data-card="G10"></span>.</span></p>\n');
});

test('what ties a sentence to the ledger is not on the page', () => {
  expect(textOf('## The deal\n\n- Nine boxes. <!-- PL-2a PL-5a -->\n')).toBe('<h3>The deal</h3>\n<ul>\n<li>Nine boxes.</li>\n</ul>\n');
});

test('the title stands by itself, with French spacing too', () => {
  expect(pageOf('# Plingo : règles\n\nUn jeu.\n', 'fr')).toEqual({ title: 'Plingo\u00a0: règles', html: '<p>Un jeu.</p>\n' });
});

test('a section with a mark is folded, under its own heading; others are not', () => {
  expect(textOf('Plis.\n\n## Donne\n\nUn.\n\n## Lectures <!-- readings -->\n\nDeux. <!-- PL-2a -->\n\n## Maison <!-- house -->\n\nTrois.\n')).toBe(
    '<p>Plis.</p>\n<h3>Donne</h3>\n<p>Un.</p>\n' +
      '<details>\n<summary><h3>Lectures</h3></summary>\n<p>Deux.</p>\n</details>\n' +
      '<details>\n<summary><h3>Maison</h3></summary>\n<p>Trois.</p>\n</details>\n',
  );
});

test('a star is a star, and no emphasis', () => {
  expect(textOf('Nine boxes\\*, one trick\\*.')).toBe('<p>Nine boxes*, one trick*.</p>\n');
});

test('a French sign of two parts keeps to its word', () => {
  expect(textOf('Un cadeau : « merci » !', 'fr')).toBe('<p>Un cadeau\u00a0: «\u00a0merci\u00a0»\u00a0!</p>\n');
});

test('an item may begin with a picture, in French too', () => {
  const item = '<ul>\n<li><img src="backs/two.svg" alt=""> Deux\u00a0: <strong>merci</strong>\u00a0!</li>\n</ul>\n';
  expect(textOf('- ![](backs/two.svg) Deux : **merci** !', 'fr')).toBe(item);
});

test('a picture comes from the folder of its game', () => {
  const code = moduleOf(pageOf('![](backs/gift.svg) **A gift.** ![](backs/gift.svg)', 'en'), '/web/games/merci');
  expect(code.match(/^import .*$/gm)).toEqual(['import picture0 from "/web/games/merci/backs/gift.svg";']);
  expect(code.match(/" \+ picture0 \+ "/g)).toHaveLength(2);
  expect(code).not.toContain('src=\\"backs');
});
