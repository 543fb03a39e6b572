// A new version of the client was put in place while this page was open: parts that it has not fetched yet
// are gone under their old names, so the page is loaded anew. Nothing is lost, as the server has it all.
import { place } from './router.svelte';

const entry = new URL(import.meta.url).pathname;

async function look(): Promise<void> {
  // The home page has all of its own, and only fetches in advance: a click there is not to be lost.
  if (place().page === 'home') return;
  const answer = await fetch('/').catch(() => null);
  // No answer: the line is down, and a page that says so is better than none.
  if (answer?.ok && !(await answer.text()).includes(entry)) location.reload();
}

export function watchForRenewal(): void {
  addEventListener('vite:preloadError', () => void look());
}
