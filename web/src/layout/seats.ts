// Positions of seats around the table and of their cards: clockwise from the viewer's own seat at the bottom.
export interface SeatPosition {
  /** Degrees, counter-clockwise from the right: 90 is the top, 180 the left. */
  angle: number;
  /** Of the table's width and height, in percent. */
  x: number;
  y: number;
}

/** The angles of the other seats by their number, from the viewer's left to the right. */
const angles: Record<number, readonly number[]> = {
  1: [90],
  2: [142, 38],
  3: [176, 90, 4],
  4: [182, 124, 56, -2],
  5: [186, 140, 90, 40, -6],
};

/** An even ring, from the bottom clockwise. */
const ring = (place: number, seats: number): number => -90 - (360 * place) / seats;

function spot(angle: number): SeatPosition {
  const radians = (angle * Math.PI) / 180;
  return { angle, x: 50 + 42 * Math.cos(radians), y: 50 - 39 * Math.sin(radians) };
}

/** The positions of the other seats; for a spectator one of them is at the bottom. */
export function seatPositions(others: number, watching = false): SeatPosition[] {
  const known = watching ? undefined : angles[others];
  return Array.from({ length: others }, (_, i) => spot(known?.[i] ?? ring(i, others)));
}

/** The angle at which a seat's card lies from the middle; the viewer's own lies at the bottom. */
export function seatDirection(seat: number, own: number | null, seats: number): number {
  const place = (seat - (own ?? 0) + seats) % seats;
  // With few seats a card lies towards its seat; with many an even ring keeps all cards readable.
  if (own === null || place === 0 || seats > 4) return ring(place, seats);
  return angles[seats - 1]?.[place - 1] ?? 90;
}
