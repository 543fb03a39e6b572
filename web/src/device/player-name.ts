// The name and the portrait with which this player sits down.
import { m } from './i18n.svelte';
import { settings } from './settings.svelte';

/** The server takes no longer name. */
export const NAME_LENGTH = 24;

export const playerName = (): string => settings.name.trim().slice(0, NAME_LENGTH) || m.guest();

/** Without the portrait where it follows from the name. */
export const player = (): { name: string; face?: number } => ({ name: playerName(), ...(settings.face === null ? {} : { face: settings.face }) });
