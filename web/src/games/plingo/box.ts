// The box of Plingo on the home page.
import { m } from '$device/i18n.svelte';
import type { Box } from '../game';
import Picture from './Picture.svelte';

export const box: Box = {
  name: () => m.plingo_name(),
  by: () => m.plingo_by(),
  about: () => m.plingo_about(),
  minutes: '15–25',
  seats: [2, 6],
  cloth: { light: '#27397a', dark: '#1a2552', back: '#c8862b' },
  theme: 'abacus',
  order: 2,
  Picture,
};
