// This page's share of the randomness of a game, which only this device could have known beforehand.
export function randomHex(bytes = 32): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (each) => each.toString(16).padStart(2, '0')).join('');
}
