// What happens before a deal: sprite sheets are preloaded, then this page sends its contribution to the shuffle, and
// meanwhile the page shows a table that is being set.
import type { Pictures, Random } from '$generated/wire';
import { contributionFor } from '$proof/contribution';
import { preloadSheets } from './sprites';

/** Milliseconds: longer than the server waits for contributions. */
const TIMEOUT = 8000;

export class DealPreparation {
  /** The deal was asked for, and the cards are not here yet. */
  dealing = $state(false);
  /** The number of the game whose sheets are known. */
  private game = 0;
  /** Resolves when the sheets are loaded, or took too long. */
  private loading: Promise<void> = Promise.resolve();
  private contributing = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private readonly send: (contribution: Random) => void,
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
    if (sheets.length > 0) this.loading = preloadSheets(this.table, number, sheets);
    return other;
  }

  /** Sends the contribution. The deal waits a moment for it, so it is sent when the sheets are loaded. */
  async contribute(game: string): Promise<void> {
    if (this.contributing === game) return; // under way
    this.contributing = game;
    await this.loading;
    this.contributing = '';
    this.send({ type: 'random', hex: contributionFor(game) });
  }
}
