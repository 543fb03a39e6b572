// The names of seats: those of their players, and invented ones for bots, which have none on the server.
import type { TableInfo } from '$generated/wire';
import { hash } from '$art/hash';
import { m } from '$device/i18n.svelte';

/** Names for bots: herbs and spices. */
const herbs = ['Basil', 'Olive', 'Saffron', 'Juniper', 'Clove', 'Sorrel', 'Thyme', 'Fennel'];

/** One of the names, by table and seat, and never that of a person at the table. */
function botName({ id, seats }: TableInfo, seat: number): string {
  const first = hash(id);
  const names = herbs.map((_, i) => herbs[(i + first) % herbs.length] ?? '');
  const taken = (name: string) => seats.some((each) => each.name?.toLowerCase() === name.toLowerCase());
  const own = names[seat] ?? '';
  if (!taken(own)) return own;
  // A name that belongs to no seat, another one for each that is taken.
  const others = names.slice(seats.length).filter((name) => !taken(name));
  return others[names.slice(0, seat).filter(taken).length] ?? own;
}

export function seatName(info: TableInfo | null, seat: number): string {
  const there = info?.seats[seat];
  if (there?.name) return there.name;
  if (!there || there.kind === 'empty') return m.seat_number({ n: seat + 1 });
  return botName(info, seat);
}
