import { expect, test } from 'vitest';
import { moduleOf, pageOf } from '../scripts/pages.mjs';

test('a card in the text is a place where the page draws it', () => {
  expect(pageOf('Ann leads [G10].', 'en')).toBe('<p>Ann leads <span class="card-at"><span data-card="G10"></span>.</span></p>\n');
});

test('what ties a sentence to the ledger is not on the page', () => {
  expect(pageOf('## Fine print <!-- readings -->\n\n- Nine boxes. <!-- PL-2a PL-5a -->\n', 'en')).toBe(
    '<h2>Fine print</h2>\n<ul>\n<li>Nine boxes.</li>\n</ul>\n',
  );
});

test('a star is a star, and no emphasis', () => {
  expect(pageOf('Nine boxes\\*, one trick\\*.', 'en')).toBe('<p>Nine boxes*, one trick*.</p>\n');
});

test('a French sign of two parts keeps to its word', () => {
  expect(pageOf('Un cadeau : « merci » !', 'fr')).toBe('<p>Un cadeau\u00a0: «\u00a0merci\u00a0»\u00a0!</p>\n');
});

test('an item may begin with a picture, in French too', () => {
  const item = '<ul>\n<li><img src="backs/two.svg" alt=""> Deux\u00a0: <strong>merci</strong>\u00a0!</li>\n</ul>\n';
  expect(pageOf('- ![](backs/two.svg) Deux : **merci** !', 'fr')).toBe(item);
});

test('a picture comes from the folder of its game', () => {
  const code = moduleOf(pageOf('![](backs/gift.svg) **A gift.** ![](backs/gift.svg)', 'en'), '/web/games/merci');
  expect(code.match(/^import .*$/gm)).toEqual(['import picture0 from "/web/games/merci/backs/gift.svg";']);
  expect(code.match(/" \+ picture0 \+ "/g)).toHaveLength(2);
  expect(code).not.toContain('src=\\"backs');
});
