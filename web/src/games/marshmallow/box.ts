// The box of Marshmallow Test on the home page.
import { m } from '$device/i18n.svelte';
import type { Box } from '../game';
import Picture from './Picture.svelte';

export const box: Box = {
  name: () => m.marshmallow_name(),
  by: () => m.marshmallow_by(),
  about: () => m.marshmallow_about(),
  minutes: '10–20',
  seats: [2, 5],
  cloth: { light: '#14615f', dark: '#0e4341', back: '#d7685f' },
  order: 1,
  Picture,
};
