// A third theme, of which the page knows nothing: a folder of data, shaped as those of the game are.
import type { PlingoTheme } from '$games/plingo/theme';
import en from './texts/en.json';
import es from './texts/es.json';
import fr from './texts/fr.json';

const card = (drawn: string) => `<rect width="32" height="44" rx="4" fill="#fff3d6"/>${drawn}`;

export const theme: PlingoTheme = {
  cloth: { light: '#5a2f4a', dark: '#3d2033', back: '#e0a23c' },
  sample: 'G4',
  picture: '<circle cx="120" cy="110" r="60" fill="#f0b323"/>',
  signs: { B: '<path class="s-main" d="M4 4h40L24 44Z"/>', G: '<path class="s-main" d="M4 44h40L24 4Z"/>', Y: '<circle class="s-main" cx="24" cy="24" r="20"/>', P: '<path class="s-main" d="M6 6h36v36H6Z"/>' },
  face: '<circle class="s-tint" cx="58" cy="86" r="34"/>',
  back: '<circle cx="50" cy="72" r="24" fill="#fff" fill-opacity="0.3"/>',
  grid: {
    size: [90, 30],
    scale: 1.2,
    frame: '<path d="M0 2h90" stroke="#fff" stroke-width="2"/>',
    spots: [5, 15, 25, 35, 45, 55, 65, 75, 85].map((x) => [x, 15] as const),
    numeral: 8,
    open: { art: '<circle r="5"/>', fill: '#2a1622', ink: '#f3dcea' },
    would: { art: '<circle r="5" stroke="#ffd98a"/>', fill: '#2a1622', ink: '#ffe7a3' },
    ticked: { art: '<circle r="5" class="lit"/>', fill: '#ffc94d', ink: '#3a2405' },
    fresh: '<circle r="8" fill="#fff" fill-opacity="0.5"/>',
  },
  master: { front: card('<circle r="3"/>'), back: card('<circle r="5"/>'), last: card('<circle r="9" class="out"/>') },
  texts: { en, fr, es },
};
