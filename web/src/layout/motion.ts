// Animations: the flight of a card or heart from one place to another, found by `data-anchor`. There are none with
// the pace 'instant' or where the system asks for reduced motion.
import { cubicInOut, cubicOut } from 'svelte/easing';
import { crossfade, type TransitionConfig } from 'svelte/transition';
import { settings } from '$device/settings.svelte';

const MOVE = 300;

export function reducedMotion(): boolean {
  return (
    settings.pace === 'instant' ||
    (typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches)
  );
}

export const duration = (ms: number): number => {
  if (reducedMotion()) return 0;
  return settings.pace === 'brisk' ? ms * 0.6 : ms;
};

/** The centre of an element, in the window. */
export function centreOf(element: Element): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

function offset(node: Element, anchor: string): { dx: number; dy: number } | null {
  const place = document.querySelector(`[data-anchor="${anchor}"]`);
  if (!place) return null;
  const from = centreOf(place);
  const to = centreOf(node);
  return { dx: from.x - to.x, dy: from.y - to.y };
}

export interface Flight {
  /** The `data-anchor` of the place. */
  place: string;
  delay?: number;
  /** Its size there. */
  scale?: number;
}

/** No animation, and nothing is measured: measuring forces a layout. */
const NONE: TransitionConfig = { duration: 0 };

function travel(node: Element, { place, delay = 0, scale = 0.4 }: Flight): TransitionConfig {
  if (reducedMotion()) return NONE;
  const way = offset(node, place);
  if (!way) return { duration: duration(150), css: (t) => `opacity: ${t}` };
  const before = getComputedStyle(node).transform.replace('none', '');
  return {
    delay: duration(delay),
    duration: duration(MOVE),
    easing: cubicOut,
    css: (t, u) =>
      `transform: translate(${way.dx * u}px, ${way.dy * u}px) ${before} scale(${scale + (1 - scale) * t});` +
      `opacity: ${Math.min(1, t * 4)}`,
  };
}

/** A transition in: from a place. */
export const arrive = travel;

/** A transition out: to a place. */
export function depart(node: Element, trip: Flight): TransitionConfig {
  const config = travel(node, trip);
  return { ...config, easing: cubicInOut };
}

/** A short slide and fade, in pixels. Svelte's `fly` reads the computed style first, which forces style and layout of
 * the whole page. */
export const drift = (_: Element, { y, ms }: { y: number; ms: number }): TransitionConfig => ({
  duration: duration(ms),
  easing: cubicOut,
  css: (t, u) => `transform: translateY(${u * y}px); opacity: ${t}`,
});

const [away, here] = crossfade({
  duration: () => duration(MOVE),
  easing: cubicOut,
  fallback: (node, params, intro) => {
    const trip = params as unknown as Flight;
    return intro && trip.place ? travel(node, trip) : NONE;
  },
});

/** A crossfade: a card that leaves one place and appears in another; failing that, it flies from an anchor. */
export const send: typeof away = (node, card) => (reducedMotion() ? () => NONE : away(node, card));
export const receive: typeof here = (node, card) => (reducedMotion() ? () => NONE : here(node, card));
