// What is drawn for the first time is drawn in parts, one after each picture of the screen: nothing takes
// so long that a finger would have to wait for it, even on a slow phone.

/** Where the page is hidden there are no pictures to wait for. */
function afterPicture(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    timer = setTimeout(run);
  };
  const frame = document.hidden ? (soon(), 0) : requestAnimationFrame(soon);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Counts from one to `last`, once there is something to draw; to be called in the set-up of a component. */
export function renderSteps(last: number, ready: () => boolean = () => true): { readonly at: number } {
  let at = $state(1);
  $effect(() => {
    if (at < last && ready()) return afterPicture(() => at++);
  });
  return {
    get at() {
      return at;
    },
  };
}
