// The default theme, an abacus as in the rulebook: a grid is nine beads on rods, and the master card counts along.
// Cloth and picture are those of the box.
import type { PlingoTheme } from '../../theme';
import en from './texts/en.json';
import es from './texts/es.json';
import fr from './texts/fr.json';

const place = '<rect x="-10" y="-10" width="20" height="20" rx="4"/>';

const bead =
  '<circle r="9.4"/>' +
  '<path d="M-9.4 0a9.4 9.4 0 0 0 18.8 0a9.4 7.6 0 0 1-18.8 0Z" fill-opacity="0.18" fill="#000"/>' +
  '<path d="M-9.4 0a9.4 9.4 0 0 1 18.8 0a9.4 7.8 0 0 0-18.8 0Z" fill-opacity="0.5" fill="#fff"/>';

/** The master card: its paper, and three rods with a bead each. */
const card = (paper: string, drawn: string) =>
  `<rect x="1" y="1" width="30" height="42" rx="4" fill="${paper}" stroke="#8a6414" stroke-width="1.5"/>${drawn}`;
const rods = (first: number, second: number, third: number) =>
  '<path d="M7 14h18M7 22h18M7 30h18" stroke="#8a6414" stroke-width="1.8" stroke-linecap="round"/>' +
  `<g fill="#27397a"><circle cx="${first}" cy="14" r="3.6"/><circle cx="${second}" cy="22" r="3.6"/><circle cx="${third}" cy="30" r="3.6"/></g>`;

export const theme: PlingoTheme = {
  sample: 'B7',
  grid: {
    size: [72, 72],
    scale: 1,
    frame:
      '<rect y="2" width="72" height="72" rx="7" fill="#000" fill-opacity="0.28"/>' +
      '<rect width="72" height="72" rx="7" fill="#a8713f"/><rect x="2" y="2" width="68" height="68" rx="5.5" fill="#c78f5d"/>',
    spots: [14, 36, 58].flatMap((y) => [14, 36, 58].map((x) => [x, y] as const)),
    numeral: 12.8,
    open: { art: place, fill: '#1b2757', ink: '#c6cdea' },
    would: { art: `${place}<rect x="-9" y="-9" width="18" height="18" rx="3" fill="none" stroke="#f0b323" stroke-width="2"/>`, fill: '#1b2757', ink: '#ffe7a3' },
    ticked: { art: bead, fill: '#f0b323', ink: '#2e2105' },
    fresh: '<circle r="14" fill="#ffd98a" fill-opacity="0.35"/><circle r="11.4" fill="#fff"/>',
  },
  master: {
    front: card('#fbe6b0', rods(11, 16, 11)),
    back: card('#f3b9a2', rods(21, 21, 21)),
    last: card('#ffd9cf', '<path d="M16 9v17" stroke="#a3231b" stroke-width="4.5" stroke-linecap="round"/><circle cx="16" cy="34" r="2.8" fill="#a3231b"/>'),
  },
  texts: { en, fr, es },
};
