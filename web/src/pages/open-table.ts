// Opening a table: at once against bots, or with room for friends.
import type { NewTable } from '$generated/wire';
import { open } from '$games/game';
import * as api from '$net/api';
import { language, m } from '$device/i18n.svelte';
import { go } from '$device/router.svelte';
import { keepSeat } from '$device/own-seats';
import { settings } from '$device/settings.svelte';

/** What the server takes as a name. */
export const LONGEST = 24;

export const ownName = (): string => settings.name.trim().slice(0, LONGEST) || m.guest();

/** Somebody looks at a box: what its table needs is fetched before it is asked for. */
export const prepare = (game: string): Promise<unknown> =>
  Promise.allSettled([import('./TablePage.svelte'), open(game), api.games()]);

/** The options that follow the language of the page. */
async function inLanguage(game: string): Promise<Record<string, string | number>> {
  const { games } = await api.games();
  const options = games.find(({ name }) => name === game)?.options ?? [];
  const values = options.map(({ name, by_language }) => [name, by_language[language()]] as const);
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Makes a table and goes there; with bots the cards are dealt without another click. */
export async function openTable(game: string, bots: string | null, options: NewTable['options'] = {}): Promise<void> {
  const chosen = { ...(await inLanguage(game)), ...options };
  const seated = await api.newTable({ game, name: ownName(), bots, options: chosen });
  keepSeat({ ...seated, game, used: Date.now(), begins: bots !== null });
  go(`/t/${seated.table}`);
}
