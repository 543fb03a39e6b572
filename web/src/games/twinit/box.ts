// The box of Twin It! on the home page.
import { m } from '$device/i18n.svelte';
import type { Box } from '../game';
import Picture from './Picture.svelte';

export const box: Box = {
  name: () => m.twinit_name(),
  by: () => m.twinit_by(),
  about: () => m.twinit_about(),
  note: () => m.twinit_for_eyes(),
  minutes: '5–15',
  seats: [1, 6],
  cloth: { light: '#d3b483', dark: '#6e5a3a', back: '#2f5d8a', ink: 'light-dark(#3a2a12, #fff3dc)' },
  order: 4,
  unlisted: true,
  Picture,
  alone: { label: () => m.twinit_alone(), options: { seats: 1, mode: 'coop' } },
};
