// What the service worker stores in advance: everything that a page may need, nothing of the server's data.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { precached, serviceWorker } from '../scripts/precache.mjs';

const source = readFileSync(fileURLToPath(new URL('../worker/service-worker.js', import.meta.url)), 'utf8');
const names = ['index.html', 'index.html.gz', 'table.html', 'icon.svg', 'icon-512.png', 'assets/b-2.js', 'assets/a-1.css', 'assets/a-1.css.br', 'assets/t-3.woff2'];

test('the page, its icon and all assets are stored, not their compressed copies', () => {
  expect(precached(names)).toEqual(['/', '/icon.svg', '/assets/a-1.css', '/assets/b-2.js', '/assets/t-3.woff2']);
});

test('the version is another as soon as a file or the page is another', () => {
  const versionOf = (text: string) => /VERSION = "(\w+)"/.exec(text)?.[1];
  const first = serviceWorker(source, names, '<html>');
  expect(versionOf(first)).toMatch(/^[0-9a-f]{12}$/);
  expect(serviceWorker(source, names, '<html>')).toBe(first);
  expect(versionOf(serviceWorker(source, [...names, 'assets/c-4.js'], '<html>'))).not.toBe(versionOf(first));
  expect(versionOf(serviceWorker(source, names, '<html lang>'))).not.toBe(versionOf(first));
  expect(first).toContain('["/","/icon.svg","/assets/a-1.css"');
});
