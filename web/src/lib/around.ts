// Where seats and their cards are: clockwise from one's own seat at the bottom.
export interface Spot {
  /** In degrees, counted from the right over the top: 180 is left, 90 is top. */
  angle: number;
  /** Of the table's width and height, in percent. */
  x: number;
  y: number;
}

/** The angles of the others, from one's left hand round to the right. */
const angles: Record<number, readonly number[]> = {
  1: [90],
  2: [142, 38],
  3: [176, 90, 4],
  4: [182, 124, 56, -2],
  5: [186, 140, 90, 40, -6],
  6: [190, 148, 112, 68, 32, -10],
  7: [192, 156, 122, 90, 58, 24, -12],
};

function spot(angle: number): Spot {
  const radians = (angle * Math.PI) / 180;
  return { angle, x: 50 + 42 * Math.cos(radians), y: 50 - 39 * Math.sin(radians) };
}

/** The spots of the others around a table where so many others sit. */
export function spots(others: number): Spot[] {
  return (angles[others] ?? angles[7] ?? []).slice(0, others).map(spot);
}

/** In which direction a seat's card lies from the middle; one's own lies at the bottom. */
export function direction(seat: number, own: number | null, seats: number): number {
  const place = (seat - (own ?? 0) + seats) % seats;
  if (own === null) return angles[seats]?.[place] ?? 90;
  return place === 0 ? -90 : (angles[seats - 1]?.[place - 1] ?? 90);
}
