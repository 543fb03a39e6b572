// From card to card by arrow keys: to the nearest one in that direction, wherever it lies.
const ways: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function nearest(within: HTMLElement, key: string): HTMLElement | null {
  const all = [...within.querySelectorAll<HTMLElement>('[data-card]')];
  const from = document.activeElement instanceof HTMLElement && all.includes(document.activeElement) ? document.activeElement : null;
  if (!from) return all[0] ?? null;
  const [dx, dy] = ways[key] ?? [0, 0];
  const middle = (each: HTMLElement) => {
    const box = each.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  };
  const start = middle(from);
  let best: HTMLElement | null = null;
  let least = Infinity;
  for (const each of all) {
    const { x, y } = middle(each);
    const along = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    if (along > 4 && along + 2.5 * aside < least) [best, least] = [each, along + 2.5 * aside];
  }
  return best;
}
