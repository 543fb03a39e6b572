// The fan of a hand: one row if each card shows enough for a finger, otherwise two.
export interface FanSpot {
  x: number;
  y: number;
  /** Degrees. */
  turn: number;
  row: number;
}

export interface Fan {
  card: number;
  height: number;
  spots: FanSpot[];
}

/** The least width of a card that a finger needs, in pixels. */
const FINGER = 38;
const TALL = 1.44;
/** Space above for raised cards. */
const RAISE = 18;

export function fan(count: number, width: number, screen: number): Fan {
  const narrow = width < 620;
  const card = Math.round(
    narrow ? Math.min(84, Math.max(62, width * 0.19), screen * 0.13) : Math.min(124, Math.max(74, screen * 0.135), width * 0.13),
  );
  const height = card * TALL;
  if (count === 0 || width === 0) return { card, height: height + RAISE, spots: [] };
  const step = (n: number, most: number) => (n < 2 ? 0 : Math.min(card * most, (width - card) / (n - 1)));
  const two = narrow && count > 6 && step(count, 1) < FINGER;
  const rows = two ? [Math.floor(count / 2), Math.ceil(count / 2)] : [count];
  const between = height * 0.6;
  const spots: FanSpot[] = [];
  rows.forEach((n, row) => {
    const gap = step(n, narrow ? 0.94 : 0.66);
    const start = (width - (gap * (n - 1) + card)) / 2;
    for (let i = 0; i < n; i++) {
      const off = i - (n - 1) / 2;
      const bend = two ? 0.35 : 1;
      const curve = off * off * (30 / Math.max(8, n)) * 0.16 * bend;
      spots.push({
        x: start + gap * i,
        y: RAISE + row * between + curve,
        turn: off * (narrow ? 0.7 : 1.15) * bend,
        row,
      });
    }
  });
  const lowest = Math.max(...spots.map((each) => each.y));
  return { card, height: lowest + height, spots };
}
