// The layout of the board. A place keeps its cell for good: the rectangle of cells grows around the first ones,
// along the side that leaves cards larger, so that only the scale ever changes.
/** In pixels, or in cells. */
export interface Point {
  x: number;
  y: number;
}

export interface Bounds {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The cells by place, the bounds of the first n places, and the gap between cards as a part of a card. */
export interface Plan {
  cells: Point[];
  bounds: Bounds[];
  gap: number;
}

export const CARDS = 135;

/** Places of a board on which all cards lie from the start: some are free, for cards that are moved. */
export const PLACES = 144;

/** Numbers of places that are shown at once: the scale changes in a few large steps, not card by card. */
const STEPS = [12, 20, 30, 42, 60, 90, CARDS] as const;
const GAP = 0.1;
/** A smaller gap makes up for the additional places. */
const SMALL_GAP = 0.08;
const LARGEST = 168;

/** From the middle outwards. */
function outwards(from: number, to: number): number[] {
  const middle = (from + to) / 2;
  return Array.from({ length: to - from + 1 }, (_, i) => from + i).sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || a - b);
}

/** The plan of a board that fills card by card; `shape` is width by height. */
export function growingPlan(shape: number): Plan {
  const cells: Point[] = [{ x: 0, y: 0 }];
  const box: Bounds = { left: 0, right: 0, top: 0, bottom: 0 };
  const bounds = [{ ...box }];
  while (cells.length < CARDS) {
    const columns = box.right - box.left + 1;
    const rows = box.bottom - box.top + 1;
    const wider = Math.min(shape / (columns + 1), 1 / rows) >= Math.min(shape / columns, 1 / (rows + 1));
    const more: Point[] = [];
    if (wider) {
      const x = box.right <= -box.left ? ++box.right : --box.left;
      more.push(...outwards(box.top, box.bottom).map((y) => ({ x, y })));
    } else {
      const y = box.bottom <= -box.top ? ++box.bottom : --box.top;
      more.push(...outwards(box.left, box.right).map((x) => ({ x, y })));
    }
    for (const cell of more) {
      cells.push(cell);
      bounds.push({ ...box });
    }
  }
  return { cells: cells.slice(0, CARDS), bounds: bounds.slice(0, CARDS), gap: GAP };
}

/** The plan of a board on which all cards lie from the start: the rectangle that leaves them largest, filled from the
 * middle outwards, so that only corners stay free. */
export function fullPlan(shape: number): Plan {
  const size = (columns: number) => Math.min(shape / columns, 1 / Math.ceil(PLACES / columns));
  const all = Array.from({ length: PLACES }, (_, i) => i + 1);
  const waste = (columns: number) => columns * Math.ceil(PLACES / columns);
  const columns = all.reduce((best, each) => (size(each) > size(best) || (size(each) === size(best) && waste(each) < waste(best)) ? each : best));
  const rows = Math.ceil(PLACES / columns);
  const from = ({ x, y }: Point) => Math.hypot((x - (columns - 1) / 2) / columns, (y - (rows - 1) / 2) / rows);
  const cells = Array.from({ length: columns * rows }, (_, i) => ({ x: i % columns, y: Math.floor(i / columns) })).sort((a, b) => from(a) - from(b)).slice(0, PLACES);
  const box: Bounds = { left: columns, right: 0, top: rows, bottom: 0 };
  const bounds = cells.map(({ x, y }) => {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
    return { ...box };
  });
  return { cells, bounds, gap: SMALL_GAP };
}

/** The step that shows all places up to one. Hysteresis: the scale grows again only when much has gone. */
export function stepFor(highest: number, before: number): number {
  const needed = STEPS.find((step) => highest < step) ?? CARDS;
  return needed > before || highest < before * 0.45 ? needed : before;
}

export interface BoardLayout {
  /** The side of a card, and the corner of the card at cell 0 0, in pixels. */
  card: number;
  origin: Point;
  at(place: number): Point;
  row(place: number): number;
  column(place: number): number;
  /** The nearest of these places to a point, if one is near. */
  nearest(point: Point, among: Iterable<number>): number | null;
}

/** `zoom`: relative to the size at which all just fits. */
export function boardLayout(width: number, height: number, step: number, plan: Plan, zoom = 1): BoardLayout {
  const box = plan.bounds[Math.min(step, plan.bounds.length) - 1] ?? { left: 0, right: 0, top: 0, bottom: 0 };
  const columns = box.right - box.left + 1;
  const rows = box.bottom - box.top + 1;
  const pitch = zoom * Math.min(width / columns, height / rows, LARGEST * (1 + plan.gap));
  const card = Math.max(1, pitch / (1 + plan.gap));
  const x = (zoom * width - pitch * columns) / 2 + (pitch - card) / 2;
  const y = (zoom * height - pitch * rows) / 2 + (pitch - card) / 2;
  const begin = (at: Point) => ({ x: x + pitch * (at.x - box.left), y: y + pitch * (at.y - box.top) });
  const cell = (place: number): Point => plan.cells[place] ?? { x: 0, y: 0 };
  return {
    card,
    origin: begin({ x: 0, y: 0 }),
    at: (place) => begin(cell(place)),
    row: (place) => cell(place).y - box.top + 1,
    column: (place) => cell(place).x - box.left + 1,
    nearest({ x, y }, among) {
      let found: number | null = null;
      let least = pitch;
      for (const place of among) {
        const at = begin(cell(place));
        const far = Math.hypot(at.x + card / 2 - x, at.y + card / 2 - y);
        if (far < least) [found, least] = [place, far];
      }
      return found;
    },
  };
}

/** The CSS transform under which the current layout looks like the one before. */
export function transformFrom(before: BoardLayout, now: BoardLayout): string {
  const scale = before.card / now.card;
  return `translate(${before.origin.x - scale * now.origin.x}px, ${before.origin.y - scale * now.origin.y}px) scale(${scale})`;
}
