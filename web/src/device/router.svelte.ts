// The router: from the address bar to a page, and back. Six kinds of address need no library.
export type Route =
  | { page: 'home' }
  | { page: 'table'; table: string }
  | { page: 'rules'; game: string }
  | { page: 'lesson'; game: string }
  | { page: 'replay'; table: string; game: number }
  | { page: 'lab' }
  | { page: 'lost' };

/** The id of a table, as the server makes them: it refuses a WebSocket to anything else. */
const isTable = (text: string) => /^[a-z0-9]{10}$/.test(text);

export function parseRoute(path: string): Route {
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  const [head, first, second] = parts;
  if (parts.length === 0) return { page: 'home' };
  if (head === 'lab' && parts.length === 1) return { page: 'lab' };
  if (head === 't' && first && isTable(first) && parts.length === 2) return { page: 'table', table: first };
  if (head === 'rules' && first && parts.length === 2) return { page: 'rules', game: first };
  if (head === 'learn' && first && parts.length === 2) return { page: 'lesson', game: first };
  if (head === 'r' && first && isTable(first) && second && /^[1-9]\d*$/.test(second) && parts.length === 3) {
    return { page: 'replay', table: first, game: Number(second) };
  }
  return { page: 'lost' };
}

const here = $state({ path: typeof location === 'undefined' ? '/' : location.pathname });

export function currentRoute(): Route {
  return parseRoute(here.path);
}

export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  here.path = location.pathname;
  scrollTo(0, 0);
}

/** Follows links within the client without reloading the page; called once by the page. */
export function interceptLinks(): () => void {
  const back = () => {
    here.path = location.pathname;
  };
  const click = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest('a');
    if (!link || link.target || link.hasAttribute('download')) return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || to.pathname.startsWith('/api/')) return;
    event.preventDefault();
    navigate(to.pathname);
  };
  addEventListener('popstate', back);
  addEventListener('click', click);
  return () => {
    removeEventListener('popstate', back);
    removeEventListener('click', click);
  };
}
