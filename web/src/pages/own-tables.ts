// The order of the own tables on the home page, and what is said of each.
import type { TableInfo } from '$generated/wire';
import { m } from '$device/i18n.svelte';
import type { OwnSeat } from '$device/own-seats';
import { seatName } from '$session/names';

const ORDER = ['playing', 'waiting', 'over'];

/** Running games first, then tables that wait; in each group, and of unknown ones, the order given. */
export function byState(seats: readonly OwnSeat[], infos: ReadonlyMap<string, Pick<TableInfo, 'state'>>): OwnSeat[] {
  const rank = ({ table }: OwnSeat) => {
    const found = infos.get(table);
    return found ? ORDER.indexOf(found.state) : ORDER.length;
  };
  return [...seats].sort((a, b) => rank(a) - rank(b));
}

/** The others at the table: people first; bots where there is nobody else. */
export function othersAt(info: TableInfo, own: number): string[] {
  const of = (kind: string) => info.seats.flatMap((each, seat) => (each.kind === kind && seat !== own ? [seatName(info, seat)] : []));
  const people = of('person');
  return people.length > 0 ? people : of('bot');
}

export function stateText({ state }: Pick<TableInfo, 'state'>): string {
  return state === 'playing' ? m.tables_playing() : state === 'waiting' ? m.tables_waiting() : m.tables_over();
}
