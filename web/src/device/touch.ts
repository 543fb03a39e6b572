// Taps that count as soon as the finger goes. A browser makes a mouse of a finger first: it looks for what
// is under it, hovers, focuses and clicks, and on a slow phone that takes longer than all that the tap does.
import type { Attachment } from 'svelte/attachments';

const FAR = 10; // pixels: more is a finger that slides
const LONG = 500; // milliseconds: longer is a finger that rests

type Heard = keyof HTMLElementEventMap;

/** Listens as the browser does it: the framework looks at each event several times on its way. */
export function hears(node: HTMLElement, heard: { [Name in Heard]?: (event: HTMLElementEventMap[Name]) => void }): () => void {
  const listening = new AbortController();
  for (const [name, run] of Object.entries(heard)) node.addEventListener(name, run as EventListener, { passive: false, signal: listening.signal });
  return () => listening.abort();
}

/** What a tap on an element does; a mouse, a key or what stands in for them clicks it. A finger that rests
 * on it shows at once, as `pressed`: what a tap does may take longer to draw. */
export function tap(run: () => void): Attachment<HTMLElement> {
  let from: { x: number; y: number; at: number } | null = null;
  return (node) =>
    hears(node, {
      touchstart({ changedTouches: [touch], timeStamp }) {
        from = touch ? { x: touch.clientX, y: touch.clientY, at: timeStamp } : null;
        node.classList.add('pressed');
      },
      touchcancel: () => node.classList.remove('pressed'),
      touchend(event) {
        node.classList.remove('pressed');
        const touch = event.changedTouches[0];
        if (!touch || !from || !event.cancelable || event.timeStamp - from.at > LONG) return;
        if (Math.hypot(touch.clientX - from.x, touch.clientY - from.y) > FAR) return;
        event.preventDefault(); // and no click comes
        run();
      },
      click: run,
    });
}
