// The beekeeper's year: a grid is a comb of nine cells, filled with honey; the symbols are flowers, a 10 is a
// queen, and the master card shows the season.
import { rotatedCopies } from '$art/rotate';
import type { PlingoTheme } from '../../theme';
import en from './texts/en.json';
import es from './texts/es.json';
import fr from './texts/fr.json';

/** A hexagon that stands on a corner, around a point. */
const cell = (radius: number, x = 0, y = 0): string => {
  const corner = (i: number) => `${(x + radius * Math.sin((i * Math.PI) / 3)).toFixed(2)} ${(y - radius * Math.cos((i * Math.PI) / 3)).toFixed(2)}`;
  return `M${[0, 1, 2, 3, 4, 5].map(corner).join('L')}Z`;
};

/** Three rows of three cells, so far apart; the middle row is shifted by half a cell. */
const comb = (apart: number, x: number, y: number): (readonly [number, number])[] =>
  [0, 1, 2].flatMap((row) => [0, 1, 2].map((i) => [x + apart * (i + (row % 2) / 2), y + apart * row * 0.866] as const));

const bluebell =
  '<path class="s-main" d="M25 10C16 10 13 18 13 27c0 6-3 9-7 11 5 3.5 10 2.5 12-1 1.5 4 4 6.5 7 6.5s5.5-2.5 7-6.5c2 3.5 7 4.5 12 1-4-2-7-5-7-11 0-9-3-17-12-17Z"/>' +
  '<path d="M25 12C25 6 20 3 12 5" class="s-line" stroke-width="3.2"/>' +
  '<path class="s-shine" d="M18.5 28c0-6 .8-10 3.5-12M31.5 29c.2-3 0-5-.5-8"/>';

const clover =
  `<path class="s-main" d="${rotatedCopies('M24 23.5C13 20 10 9.5 15 5.2C18.4 2.5 22.4 4.4 24 8.6C25.6 4.4 29.6 2.5 33 5.2C38 9.5 35 20 24 23.5Z', 3, 24, 23.5)}"/>` +
  '<path class="s-line" d="M24 24c.2 8 2 15 6 21"/>' +
  `<path class="s-shine" d="${rotatedCopies('M24 18.5L24 12.5', 3, 24, 23.5)}"/>`;

const sunflower =
  `<path class="s-main" d="${rotatedCopies('M24 17C18.8 12 19.6 5.5 24 1C28.4 5.5 29.2 12 24 17Z', 10, 24, 24)}"/>` +
  '<circle class="s-deep" cx="24" cy="24" r="9.2"/>' +
  `<path class="s-shine" d="${rotatedCopies('M24 18.2L24 18.4', 8, 24, 24)}"/><circle class="s-light" cx="24" cy="24" r="1.5"/>`;

const thistle =
  '<path class="s-main" d="M18 29C13 24 9 16 7 7C10 8.5 12.5 10.5 14.5 13C14 9 14.3 6 15.5 2.5C18 5 19.5 7.5 20.3 10.5C21 7 22.2 4 24 1C25.8 4 27 7 27.7 10.5C28.5 7.5 30 5 32.5 2.5C33.7 6 34 9 33.5 13C35.5 10.5 38 8.5 41 7C39 16 35 24 30 29Z"/>' +
  '<ellipse class="s-main" cx="24" cy="35.5" rx="12" ry="10.8"/>' +
  '<path class="s-line" d="M14.5 28.5c5.5 3.6 13.5 3.6 19 0"/>' +
  '<path class="s-shine" d="M17.2 36l2.8 2.6 2.8-2.6M25.2 36l2.8 2.6 2.8-2.6M21.2 41.2l2.8 2.4 2.8-2.4M24 24v-9M18.8 23.5l-3.3-6M29.2 23.5l3.3-6"/>';

/** A bee that flies to the right. */
const bee =
  '<g stroke="#3a2405" stroke-width="2.2" stroke-linejoin="round" stroke-linecap="round">' +
  '<path d="M-1-8C-14-24-26-20-22-11c3 5 13 5 21 3Z" fill="#fff" fill-opacity="0.85"/><path d="M3-9C-1-26 13-30 15-21c1 6-6 10-12 12Z" fill="#fff" fill-opacity="0.92"/>' +
  '<path d="M-21 3C-19-9-4-12 8-9c10 2 14 7 14 12S18 15 8 16C-6 18-18 14-21 3Z" fill="#f6bd34"/>' +
  '<path d="M-9-7.5C-13 0-12 10-8 15M1-9.5C-2 0-2 9 1 16" fill="none" stroke-width="4.8"/>' +
  '<path d="M-21 3l-5 1.5" fill="none"/><path d="M15-6c1-6 4-8 7-8M19-4c2-5 5-6 8-5" fill="none" stroke-width="1.8"/></g>' +
  '<circle cx="15" cy="1" r="2.2" fill="#3a2405"/><path d="M13 8c2 1.8 4.5 1.8 6 0" fill="none" stroke="#3a2405" stroke-width="1.6" stroke-linecap="round"/>';

/** The crown of a queen: above the flower, clear of the numeral. */
const crown =
  '<g transform="translate(64 51)"><path class="s-deep" d="M-11 6.5L-15-6L-7-1L0-10.5L7-1L15-6L11 6.5C4 8.3-4 8.3-11 6.5Z"/>' +
  '<circle class="s-deep" cx="-15" cy="-7" r="2"/><circle class="s-deep" cy="-11.5" r="2.3"/><circle class="s-deep" cx="15" cy="-7" r="2"/></g>';

/** The cells of the back, four and three in turn. */
const rows = [-3, -2, -1, 0, 1, 2, 3];

const WAX = '#d79a3a';
const SPOTS = comb(20, 11.3, 13);
const card = (paper: string, edge: string, drawn: string) =>
  `<rect x="1" y="1" width="30" height="42" rx="4" fill="${paper}" stroke="${edge}" stroke-width="1.5"/>${drawn}`;

/** The picture on the box: a comb in its wooden frame, one cell still open, and a bee. */
const picture = (() => {
  const cells = comb(39, 81, 76);
  const open = 4;
  const honey = ['#f9c440', '#f1ae2a', '#fbd062'];
  const full = cells.flatMap(([x, y], i) =>
    i === open
      ? []
      : `<path d="${cell(22.6, x, y)}" fill="${WAX}"/><path d="${cell(19, x, y)}" fill="${honey[(i * 2 + Math.floor(i / 3)) % 3]}"/>` +
        `<path d="M${x - 10.5} ${y - 3}q2-7.5 8.5-10" fill="none" stroke="#fff" stroke-opacity="0.75" stroke-width="3.2" stroke-linecap="round"/>`,
  );
  const [x, y] = cells[open] ?? [0, 0];
  return (
    '<circle cx="120" cy="108" r="96" fill="#fff" fill-opacity="0.06"/><ellipse cx="120" cy="200" rx="84" ry="8" fill="#000" fill-opacity="0.25"/>' +
    '<rect x="46" y="40" width="148" height="134" fill="#3f2b0f"/>' +
    `<path d="${cell(20, 61.5, 76 + 39 * 0.866)}" fill="#5d3f14"/>` +
    full.join('') +
    `<path d="${cell(22.6, x, y)}" fill="${WAX}"/><path d="${cell(19, x, y)}" fill="#4a3212"/><path d="${cell(14.5, x, y)}" fill="none" stroke="#fff" stroke-width="2.5" stroke-dasharray="4 5.5" stroke-linecap="round" stroke-opacity="0.85"/>` +
    // the frame over the rim of the comb
    '<path d="M34 40h16v132h140V40h16v146q0 8-8 8H42q-8 0-8-8Z" fill="#b97a48"/><path d="M34 40h16v132h140V40h16v140q0 8-8 8H42q-8 0-8-8Z" fill="#d39a66"/>' +
    '<path d="M50 40h140v9H50Z" fill="#000" fill-opacity="0.28"/><path d="M18 24h204v14q0 5-5 5H23q-5 0-5-5Z" fill="#b97a48"/><path d="M18 24h204v10q0 5-5 5H23q-5 0-5-5Z" fill="#d39a66"/>' +
    '<path d="M42 58v84M198 92v50" stroke="#e5b487" stroke-width="2" stroke-linecap="round" stroke-opacity="0.8"/>' +
    '<path d="M229 178q6-26-6-48" fill="none" stroke="#fffaf0" stroke-opacity="0.85" stroke-width="2.8" stroke-dasharray="0.5 7" stroke-linecap="round"/>' +
    `<g transform="translate(204 112) scale(-1 1) rotate(12)">${bee}</g>`
  );
})();

export const theme: PlingoTheme = {
  cloth: { light: '#4a5d2b', dark: '#34421f', back: '#d8962f' },
  sample: 'P7',
  picture,
  signs: { B: bluebell, G: clover, Y: sunflower, P: thistle },
  face: `<path class="s-tint" d="${cell(37, 58.5, 86)}${cell(12, 17.5, 121)}${cell(7.5, 32.5, 133.5)}"/>`,
  values: { 10: crown },
  back:
    `<path d="${rows.flatMap((row) => [0, 1, 2, 3].slice(row % 2 === 0 ? 1 : 0).map((i) => cell(9.9, 50 + 20.8 * (i - (row % 2 === 0 ? 2 : 1.5)), 72 + 18 * row))).join('')}" fill="none" stroke="#fff" stroke-opacity="0.3" stroke-width="2"/>` +
    `<path d="${cell(30, 50, 72)}" fill="#fffaf0"/><g transform="translate(50 73) scale(0.85) rotate(-12)">${bee}</g>`,
  emblem: `<path d="${cell(150, 150, 150)}"/><path d="${cell(140, 150, 150)}" stroke-width="1" stroke-dasharray="1.5 5"/><path d="${cell(66, 150, 150)}"/>`,
  grid: {
    size: [72.6, 60.6],
    scale: 1.12,
    frame:
      `<path d="${SPOTS.map(([x, y]) => cell(12.8, x, y + 1.8)).join('')}" fill="#000" fill-opacity="0.28"/>` +
      `<path d="${SPOTS.map(([x, y]) => cell(12.8, x, y)).join('')}" fill="${WAX}"/>`,
    spots: SPOTS,
    numeral: 12.8,
    open: { art: `<path d="${cell(10.4)}"/>`, fill: '#43290b', ink: '#f6dca8' },
    would: { art: `<path d="${cell(10.4)}"/><path d="${cell(9.2)}" fill="none" stroke="#ffd257" stroke-width="1.8" stroke-linejoin="round"/>`, fill: '#43290b', ink: '#ffe7a3' },
    ticked: {
      art: `<path d="${cell(10.9)}"/><path d="M-7.4-2.2L-7.4-4.3L0-8.5L3.2-6.7" fill="none" stroke="#fff" stroke-opacity="0.75" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>`,
      fill: '#f9c440',
      ink: '#3a2405',
    },
    fresh: `<path d="${cell(15.5)}" fill="#ffd98a" fill-opacity="0.4"/><path d="${cell(12.9)}" fill="#fff"/>`,
  },
  master: {
    front: card('#ffe9a8', '#8a6414', `<path d="${rotatedCopies('M13.8 13.4L16 8.6L18.2 13.4Z', 8, 16, 22)}" fill="#d9860f"/><circle cx="16" cy="22" r="7" fill="#f2a71b"/>`),
    back: card('#f7c79a', '#8a4a14', '<path d="M26 9C14 10 7 17 7.5 26c.2 3 1.2 5 3 6.5C20 31 26 22 26 9Z" fill="#a8431a"/><path d="M8 37c2-8 6-14 13-20" fill="none" stroke="#5f230b" stroke-width="2" stroke-linecap="round"/>'),
    last: card('#e4eefb', '#34508a', `<path d="${rotatedCopies('M16 22L16 10M16 15L12.6 11.6M16 15L19.4 11.6', 6, 16, 22)}" fill="none" stroke="#2a4fa8" stroke-width="2.2" stroke-linecap="round"/>`),
  },
  texts: { en, fr, es },
};
