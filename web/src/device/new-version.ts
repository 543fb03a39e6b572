// Reloads the page when a new version of the client was deployed while it was open: chunks it has not fetched yet
// are gone under their old names. Nothing is lost, since all state is on the server.
import { currentRoute } from './router.svelte';

const entry = new URL(import.meta.url).pathname;

async function reloadIfReplaced(): Promise<void> {
  // The home page needs no further chunk, and only prefetches: a click there must not be lost in a reload.
  if (currentRoute().page === 'home') return;
  const answer = await fetch('/').catch(() => null);
  // Without an answer the network is down, and a page that says so is better than none.
  if (answer?.ok && !(await answer.text()).includes(entry)) location.reload();
}

export function reloadOnNewVersion(): void {
  addEventListener('vite:preloadError', () => void reloadIfReplaced());
}
