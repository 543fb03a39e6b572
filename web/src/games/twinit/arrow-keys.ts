// Arrow keys: from a card or place to the nearest one in that direction.
import { centreOf } from '$layout/motion';

const ways: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The element with the least distance, if that is finite. */
function least(all: readonly HTMLElement[], far: (at: { x: number; y: number }) => number): HTMLElement | null {
  let best: HTMLElement | null = null;
  let shortest = Infinity;
  for (const each of all) {
    const away = far(centreOf(each));
    if (away < shortest) [best, shortest] = [each, away];
  }
  return best;
}

export function nearest(within: HTMLElement, key: string, kind = '[data-card]'): HTMLElement | null {
  const all = [...within.querySelectorAll<HTMLElement>(kind)];
  const from = document.activeElement instanceof HTMLElement && all.includes(document.activeElement) ? document.activeElement : null;
  if (!from) return all[0] ?? null;
  const [dx, dy] = ways[key] ?? [0, 0];
  const start = centreOf(from);
  return least(all, ({ x, y }) => {
    const along = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    return along > 4 ? along + 2.5 * aside : Infinity;
  });
}

/** The element of one kind that is closest to that of another. */
export function closest(within: HTMLElement, to: string, kind: string): HTMLElement | null {
  const from = within.querySelector<HTMLElement>(to);
  if (!from) return null;
  const start = centreOf(from);
  return least([...within.querySelectorAll<HTMLElement>(kind)], ({ x, y }) => Math.hypot(x - start.x, y - start.y));
}
