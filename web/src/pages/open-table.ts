// Opening a new table from the home page: at once against bots, or with seats for friends.
import type { NewTable } from '$generated/wire';
import { language } from '$device/i18n.svelte';
import { storeSeat } from '$device/own-seats';
import { player } from '$device/player-name';
import { navigate } from '$device/router.svelte';
import { settings } from '$device/settings.svelte';
import * as api from '$net/api';
import { loadGame } from '$session/outside-games';

/** Prefetches what a table of this game needs, while the player is still looking at its box: first what opening one asks
 * for, which is short and would wait behind all the code. */
export const prefetch = (game: string): Promise<unknown> =>
  Promise.allSettled([api.games(), import('./TablePage.svelte'), loadGame(game)]);

/** The options that follow the language of the page. */
async function optionsByLanguage(game: string): Promise<Record<string, string | number>> {
  const { games } = await api.games();
  const options = games.find(({ name }) => name === game)?.options ?? [];
  const values = options.map(({ name, by_language }) => [name, by_language[language()]] as const);
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Makes a table and goes there; with bots the cards are dealt without another click. */
export async function openTable(game: string, bots: string | null, options: NewTable['options'] = {}): Promise<void> {
  const chosen = { ...(await optionsByLanguage(game)), ...options };
  const seated = await api.newTable({ game, ...player(), bots, options: chosen });
  storeSeat({ ...seated, game, used: Date.now(), begins: bots !== null });
  navigate(`/t/${seated.table}`);
}

/** A game at once, against the bots that were chosen last. */
export function playNow(game: string): Promise<void> {
  const chosen = settings.opponents[game];
  return openTable(game, chosen?.level ?? 'medium', chosen ? { seats: chosen.seats } : {});
}
