// The service worker of this site (worker/service-worker.js), with which the client opens without a network.

/** Its registration; null: the browser has none, or the server can't be reached. */
export async function registration(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return null;
  try {
    return await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  } catch {
    return null;
  }
}
