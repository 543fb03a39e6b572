// The service worker: the client opens without a network, and shows the player's turn as a notification. The build
// fills in the version and the list of files (scripts/precache.mjs).
const VERSION = '__VERSION__';
const FILES = ['__FILES__'];
const CACHE = `pli-${VERSION}`;

/** Every page of the client: it reads its address itself. */
const SHELL = '/';
/** Milliseconds for which a page waits for the server before it opens from the cache. */
const PATIENCE = 4000;

/** One after the other and at low priority: a player who sits down meanwhile needs the line more. A file whose name
 * has a hash is taken from the cache of the version before. */
async function precache() {
  const cache = await caches.open(CACHE);
  for (const path of FILES) {
    const kept = path.startsWith('/assets/') ? await caches.match(path) : undefined;
    const answer = kept ?? (await fetch(path, { cache: path === SHELL ? 'no-store' : 'default', priority: 'low' }));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    await cache.put(path, answer);
  }
  await self.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('pli-') && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** From the server, so that no old version is shown; from the cache only if it can't be reached. */
async function page(request) {
  const answer = fetch(request);
  const shell = await caches.match(SHELL, { cacheName: CACHE });
  if (!shell) return answer;
  const late = new Promise((resolve) => setTimeout(() => resolve(shell), PATIENCE));
  return Promise.race([answer.catch(() => shell), late]);
}

/** Names of assets have a hash: what is in the cache is right. */
async function asset(request) {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(precache()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request));
});

async function open(path) {
  const windows = await self.clients.matchAll({ type: 'window' });
  const shown = windows.find((each) => new URL(each.url).pathname === path);
  await (shown ? shown.focus() : self.clients.openWindow(path));
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data ?? SHELL));
});
