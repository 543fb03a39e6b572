// "Your turn" as a notification of the system, while the page is hidden. Only if the player has switched it on.
import { m } from './i18n.svelte';
import { registration } from './service-worker';

export const notificationsPossible = (): boolean => 'Notification' in globalThis && 'serviceWorker' in navigator;

/** Asks for the permission; whether there is one, and a service worker to show them. */
export async function allowNotifications(): Promise<boolean> {
  if (!notificationsPossible() || (await Notification.requestPermission()) !== 'granted') return false;
  return (await registration()) !== null;
}

/** Shows that it is the player's turn; the result takes it away again. */
export function notifyTurn(game: string): () => void {
  let over = false;
  const tag = location.pathname;
  const shown = (async () => {
    if (Notification.permission !== 'granted') return;
    await registration();
    const worker = await navigator.serviceWorker.ready;
    if (over) return;
    await worker.showNotification(m.your_turn(), { body: game, tag, icon: '/icon-192.png', data: tag });
    return worker;
  })();
  return () => {
    over = true;
    void shown.then(async (worker) => (await worker?.getNotifications({ tag }))?.forEach((each) => each.close()), () => undefined);
  };
}
