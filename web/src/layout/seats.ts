// Where seats and their cards are: clockwise from one's own seat at the bottom.
export interface SeatPosition {
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
};

/** All in a ring, from the bottom round by the left. */
const ring = (place: number, seats: number): number => -90 - (360 * place) / seats;

function spot(angle: number): SeatPosition {
  const radians = (angle * Math.PI) / 180;
  return { angle, x: 50 + 42 * Math.cos(radians), y: 50 - 39 * Math.sin(radians) };
}

/** The seatPositions of so many others; who only watches leaves the bottom to one of them. */
export function seatPositions(others: number, watching = false): SeatPosition[] {
  const known = watching ? undefined : angles[others];
  return Array.from({ length: others }, (_, i) => spot(known?.[i] ?? ring(i, others)));
}

/** In which seatDirection a seat's card lies from the middle; one's own lies at the bottom. */
export function seatDirection(seat: number, own: number | null, seats: number): number {
  const place = (seat - (own ?? 0) + seats) % seats;
  // With few seats a card points to who laid it; with many an even ring keeps all of them readable.
  if (own === null || place === 0 || seats > 4) return ring(place, seats);
  return angles[seats - 1]?.[place - 1] ?? 90;
}
