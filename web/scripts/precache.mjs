// What the service worker stores in advance, and its version: another one as soon as any of these files is another.
import { createHash } from 'node:crypto';

/** Files beside the assets without which the client would not open, or not look right. */
const OTHERS = ['/icon.svg', '/manifest.webmanifest'];

/** The paths to store, from the names of all built files: the one page that serves all addresses, and all assets. */
export function precached(names) {
  const assets = names.filter((name) => /^assets\/.*\.(js|css|svg|woff2)$/.test(name)).sort();
  return ['/', ...OTHERS.filter((path) => names.includes(path.slice(1))), ...assets.map((name) => `/${name}`)];
}

/** The service worker with its list of files; `page` is the text of the page. */
export function serviceWorker(source, names, page) {
  const files = precached(names);
  const version = createHash('sha256').update([page, source, ...files].join('\n')).digest('hex').slice(0, 12);
  const filled = source.replace("'__VERSION__'", () => JSON.stringify(version)).replace("['__FILES__']", () => JSON.stringify(files));
  if (filled.includes('__VERSION__') || filled.includes('__FILES__')) throw new Error('the service worker has other places to fill in');
  return filled;
}
