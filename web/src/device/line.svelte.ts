// Whether the server can be reached, as far as is known: browsers say that they are online on any network, so the
// last request counts as well.
const line = $state({ up: typeof navigator === 'undefined' || navigator.onLine });

export const lineUp = (): boolean => line.up;

export function setLine(up: boolean): void {
  line.up = up;
}
