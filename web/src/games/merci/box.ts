// The box of Merci on the home page.
import { m } from '$device/i18n.svelte';
import type { Box } from '../game';
import Picture from './Picture.svelte';

export const box: Box = {
  name: () => m.merci_name(),
  by: () => m.merci_by(),
  about: () => m.merci_about(),
  minutes: '15–25',
  seats: [3, 6],
  cloth: { light: '#642f5a', dark: '#45203e', back: '#3f8f86' },
  order: 3,
  Picture,
};
