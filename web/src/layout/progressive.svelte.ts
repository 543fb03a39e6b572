// Progressive rendering: a page is first drawn in steps, one after each animation frame, so that no task blocks
// input for long even on a slow phone.

/** After the next animation frame; a hidden page has none, so there it is a timeout. */
function afterFrame(run: () => void): () => void {
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

/** Counts from one to `last` while `ready`; to be called in the set-up of a component. */
export function renderSteps(last: number, ready: () => boolean = () => true): { readonly at: number } {
  let at = $state(1);
  $effect(() => {
    if (at < last && ready()) return afterFrame(() => at++);
  });
  return {
    get at() {
      return at;
    },
  };
}
