// Taps handled on `touchend`. Before the click it emulates, a browser does hit testing, hover and focus, and on a
// slow phone that takes longer than handling the tap.
import type { Attachment } from 'svelte/attachments';

const FAR = 10; // pixels: more is a drag
const LONG = 500; // milliseconds: longer is a long press

type EventName = keyof HTMLElementEventMap;

/** Native, non-passive event listeners: the framework's event delegation handles each event several times on its way
 * up. Returns how to remove them. */
export function listen(node: HTMLElement, handlers: { [Name in EventName]?: (event: HTMLElementEventMap[Name]) => void }): () => void {
  const controller = new AbortController();
  for (const [name, run] of Object.entries(handlers)) node.addEventListener(name, run as EventListener, { passive: false, signal: controller.signal });
  return () => controller.abort();
}

/** Runs something on a tap or a click (mouse, keyboard, assistive technology). The element has the class `pressed`
 * while it is touched, as feedback before what the tap does is drawn. */
export function tap(run: () => void): Attachment<HTMLElement> {
  let from: { x: number; y: number; at: number } | null = null;
  return (node) =>
    listen(node, {
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
        event.preventDefault(); // suppresses the emulated click
        run();
      },
      click: run,
    });
}
