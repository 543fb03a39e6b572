// Where a bubble goes: near what it speaks of, and over nothing that must be seen or touched. Pure geometry.
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const STEP = 8;
/** From what must be seen: the edge that is drawn around it, and the distance that looks well. */
const EDGE = 9;
const GAP = 14;

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) * Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

const covered = (these: readonly Box[], by: Box): number => these.reduce((sum, each) => sum + overlap(by, each), 0);

/** How far two boxes are from each other, from edge to edge. */
function gap(a: Box, b: Box): number {
  const dx = Math.max(0, a.x - (b.x + b.width), b.x - (a.x + a.width));
  const dy = Math.max(0, a.y - (b.y + b.height), b.y - (a.y + a.height));
  return Math.hypot(dx, dy);
}

const centre = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });

/** What a bubble keeps off: what is lit and touched, then the learner's own things, then all else that is looked at. */
export interface KeptOff {
  never: readonly Box[];
  own?: readonly Box[];
  rather?: readonly Box[];
}

/** The costs of covering a pixel; `close`: of the gap around what must be seen. */
const COST = { never: 1000, own: 5, close: 2, rather: 0.06 };

const grown = ({ x, y, width, height }: Box, by: number): Box => ({ x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by });

/** Where a bubble may begin: at even steps, and just beside each of these spans, before it or after it. */
function starts(from: number, to: number, length: number, spans: readonly (readonly [start: number, end: number])[]): number[] {
  const beside = spans.flatMap(([start, end]) => [start - length, end]).filter((at) => at > from && at < to);
  return [...Array.from({ length: Math.floor((to - from) / STEP) + 1 }, (_, i) => from + i * STEP), ...beside];
}

/** The corner of a bubble within a space: it is near what it speaks of, and covers what matters least. */
export function bubblePlace(size: { width: number; height: number }, space: Box, { never, own = [], rather = [] }: KeptOff, near: readonly Box[]): { x: number; y: number } {
  const kept = never.map((each) => grown(each, EDGE));
  const close = never.map((each) => grown(each, GAP));
  const all = [...kept, ...own];
  const middle = centre(space);
  let best = { x: space.x, y: space.y };
  let least = Infinity;
  const right = Math.max(space.x, space.x + space.width - size.width);
  const bottom = Math.max(space.y, space.y + space.height - size.height);
  const columns = starts(space.x, right, size.width, all.map((each) => [each.x, each.x + each.width]));
  for (const y of starts(space.y, bottom, size.height, all.map((each) => [each.y, each.y + each.height]))) {
    for (const x of columns) {
      const box = { x, y, ...size };
      const c = centre(box);
      const far = near.reduce((sum, each) => sum + gap(box, each) + 0.25 * Math.abs(c.x - centre(each).x), 0) / Math.max(1, near.length);
      const cost =
        covered(kept, box) * COST.never + covered(own, box) * COST.own + covered(close, box) * COST.close + covered(rather, box) * COST.rather +
        far + 0.05 * Math.hypot(c.x - middle.x, c.y - middle.y);
      if (cost < least) [least, best] = [cost, { x, y }];
    }
  }
  return best;
}
