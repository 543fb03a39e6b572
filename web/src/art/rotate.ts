/** An SVG path of absolute points together with its copies, rotated around a centre. */
export function rotatedCopies(path: string, times: number, x: number, y: number): string {
  const turned = (angle: number) =>
    path.replace(/(-?[\d.]+) (-?[\d.]+)/g, (_, px: string, py: string) => {
      const [dx, dy] = [Number(px) - x, Number(py) - y];
      return `${(x + dx * Math.cos(angle) - dy * Math.sin(angle)).toFixed(2)} ${(y + dx * Math.sin(angle) + dy * Math.cos(angle)).toFixed(2)}`;
    });
  return Array.from({ length: times }, (_, i) => turned((2 * Math.PI * i) / times)).join('');
}
