// The colours of the cards are readable: contrast of numerals on paper, and distance between any two colours for the
// three common kinds of colour blindness.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contrast, linear, rgb, type Rgb } from './light';

const css = readFileSync(new URL('../src/styles/app.css', import.meta.url), 'utf8');

function colour(name: string, of: string): Rgb {
  const line = new RegExp(`^\\.${name} \\{[^}]*--${of}: (#[0-9a-f]{6})`, 'm').exec(css)?.[1];
  if (!line) throw new Error(`${name} has no ${of}`);
  return rgb(line);
}

/** Machado, Oliveira and Fernandes 2009, full severity, over linear colours. */
const eyes: Record<string, number[][]> = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

function seen(rgb: Rgb, kind: number[][]): Rgb {
  const light = rgb.map(linear);
  return kind.map((row) => Math.max(0, row.reduce((sum, k, i) => sum + k * (light[i] ?? 0), 0))) as Rgb;
}

/** OKLab, in which equal distances look about equal. */
function oklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

const distance = (a: Rgb, b: Rgb) => Math.hypot(...a.map((each, i) => each - (b[i] ?? 0)));
const names = ['B', 'G', 'Y', 'P', 'O'];
const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));

const papers = ['#fffaf0', '#f2e8d5'].map(rgb); // by day and by night

test.each(names)('numerals in %s can be read on paper, by day and by night', (name) => {
  for (const paper of papers) expect(contrast(colour(name, 'c-ink'), paper)).toBeGreaterThanOrEqual(4.5);
});

test.each(Object.keys(eyes))('any two colours differ for eyes with %s', (kind) => {
  for (const [a, b] of pairs) {
    const apart = distance(oklab(seen(colour(a, 'c'), eyes[kind] ?? [])), oklab(seen(colour(b, 'c'), eyes[kind] ?? [])));
    expect(apart, `${a} and ${b}`).toBeGreaterThan(0.08);
  }
});
