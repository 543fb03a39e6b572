// What happens before a deal: sprite sheets are preloaded, then this page sends its contribution to the shuffle, and
// meanwhile the page shows a table that is being set.
import type { Pictures, Random, Ready } from '$generated/wire';
import { settings } from '$device/settings.svelte';
import { contributionFor } from '$proof/contribution';
import { preloadSheets } from './sprites';

/** Milliseconds: longer than the server waits for contributions. */
const TIMEOUT = 8000;
/** The server does not hold up a deal for longer. */
const LOADING = 5500;

export class DealPreparation {
  /** The deal was asked for, and the cards are not here yet. */
  dealing = $state(false);
  /** The number of the game whose sheets are known. */
  private game = 0;
  /** Which part of the sheets is here, 0 to 1. */
  loaded = $state(1);
  /** Resolves when the sheets are decoded. */
  private loading: Promise<void> = Promise.resolve();
  private contributing = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private readonly send: (message: Random | Ready) => void,
  ) {}

  /** The cards will be here in a moment; the timeout is for a deal that was called off. */
  begin(): void {
    this.dealing = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.dealing = false), TIMEOUT);
  }

  /** Preloads the announced sheets; returns whether they are those of another game than before. */
  preload({ number, sheets }: Pictures): boolean {
    const other = number !== this.game;
    this.game = number;
    if (other && sheets.length > 0) {
      let here = (this.loaded = 0);
      this.loading = preloadSheets(this.table, number, sheets, () => {
        if (this.game === number) this.loaded = ++here / sheets.length;
      });
    }
    return other;
  }

  /** Says that all sheets are decoded, once they are. */
  async ready(number: number): Promise<void> {
    await this.loading;
    if (this.game === number) this.send({ type: 'ready', number });
  }

  /** Sends the contribution. The deal waits a moment for it, so it is sent when the sheets are loaded, or took too
   * long. */
  async contribute(game: string): Promise<void> {
    if (this.contributing === game) return; // under way
    this.contributing = game;
    await Promise.race([this.loading, new Promise((resolve) => setTimeout(resolve, LOADING / settings.haste))]);
    this.contributing = '';
    this.send({ type: 'random', hex: contributionFor(game) });
  }
}
