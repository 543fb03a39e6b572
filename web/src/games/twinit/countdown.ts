// The countdown to the common start, as numbers.
const STEP = 1000; // milliseconds

/** The number that is shown at a time, 0 when it is over, and after how many milliseconds it changes. */
export function countAt(at: number, now: number): { count: number; next: number } {
  const left = Math.max(0, at - now);
  const count = Math.ceil(left / STEP);
  return { count, next: count === 0 ? 0 : left - (count - 1) * STEP };
}
