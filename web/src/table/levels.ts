// The levels of bots in words.
import { m } from '$device/i18n.svelte';

const names: Record<string, () => string> = {
  easy: () => m.level_easy(),
  medium: () => m.level_medium(),
  hard: () => m.level_hard(),
};

/** From the weakest to the strongest. */
export const levels = Object.keys(names);

export const levelName = (level: string | null): string => (level && names[level]?.()) || (level ?? '');
