// How long frames are shown, as the player wants it: a factor on the time that each asks for.
import { settings, type Pace } from '$device/settings.svelte';

const SPEED: Record<Pace, number> = { calm: 1, brisk: 0.5, instant: 0.05 };

export const frameSpeed = (): number => SPEED[settings.pace] / settings.haste;
