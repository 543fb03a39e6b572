// What comes before the cards: the pictures are fetched, this page adds its share of the chance, and
// meanwhile the table is being set.
import type { Pictures, Random } from '$generated/wire';
import { ownShare } from '$proof/contribution';
import { fetchAll } from './sprites';

/** Milliseconds: longer than a deal waits for anybody. */
const LAID = 8000;

export class Setting {
  /** It has been said that the cards be dealt. */
  underWay = $state(false);
  /** The game whose pictures are known. */
  private pictured = 0;
  /** All of them are there, or long enough waited for. */
  private loading: Promise<void> = Promise.resolve();
  private contributing = '';
  private laid: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private readonly send: (share: Random) => void,
  ) {}

  /** The cards will be there in a moment; unless somebody left at the last one. */
  begin(): void {
    this.underWay = true;
    clearTimeout(this.laid);
    this.laid = setTimeout(() => (this.underWay = false), LAID);
  }

  /** Fetches the pictures that were told of; says whether they are those of another game than before. */
  fetch({ number, sheets }: Pictures): boolean {
    const other = number !== this.pictured;
    this.pictured = number;
    if (sheets.length > 0) this.loading = fetchAll(this.table, number, sheets);
    return other;
  }

  /** This page's share of the chance. The deal waits for it a moment, so first come the pictures. */
  async contribute(game: string): Promise<void> {
    if (this.contributing === game) return; // that was asked for already
    this.contributing = game;
    await this.loading;
    this.contributing = '';
    this.send({ type: 'random', hex: ownShare(game) });
  }
}
