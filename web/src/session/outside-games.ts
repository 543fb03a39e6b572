// Games of the server's that this client has no code for: what the server says of them makes them known to the page.
import { addGames, catalog, isPlayable, loadGame as load } from '$games/catalog.svelte';
import type { GameClient } from '$games/game';
import * as api from '$net/api';

let asked: Promise<void> | null = null;

async function ask(): Promise<void> {
  const { games } = await api.games();
  const unknown = games.filter(({ name }) => !(name in catalog));
  if (unknown.length === 0) return;
  await addGames(await Promise.all(unknown.map(async (info) => ({ info, table: await api.gameTable(info.name) }))));
}

/** Asks the server for its games, once; again after a failure. */
export function outsideGames(): Promise<void> {
  asked ??= ask().catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
}

/** The page of a game's rules, from the server. */
export async function loadRules(game: string, language: string): Promise<{ title: string; html: string }> {
  const [{ pageOf }, markdown] = await Promise.all([import('$device/markdown.js'), api.rulesPage(game, language)]);
  return pageOf(markdown, language);
}

/** The code of any game: its own, or the generic one. */
export async function loadGame(game: string): Promise<GameClient> {
  if (!isPlayable(game)) await outsideGames();
  return load(game);
}
