// Seats taken from this device, by table, each with the token that proves it to the server.
import { loadList, save } from './storage';

export interface OwnSeat {
  table: string;
  game: string;
  seat: number;
  token: string;
  /** When it was last used: the home page lists the newest first. */
  used: number;
  /** Deal as soon as the table is open ("play now"); stored, so that a reload in between does not lose it. */
  begins?: boolean;
}

const KEY = 'pli.seats';
const MOST = 50;

const saveSeats = (seats: OwnSeat[]): void => save(KEY, seats.slice(0, MOST));

export function ownSeats(): OwnSeat[] {
  return loadList<OwnSeat>(KEY).sort((a, b) => b.used - a.used);
}

export function ownSeat(table: string): OwnSeat | null {
  return loadList<OwnSeat>(KEY).find((each) => each.table === table) ?? null;
}

export function storeSeat(seat: OwnSeat): void {
  saveSeats([seat, ...ownSeats().filter((each) => each.table !== seat.table)]);
}

/** The deal was asked for: a reload must not ask again. */
export function clearAutoDeal(table: string): void {
  const seat = ownSeat(table);
  if (seat) storeSeat({ ...seat, begins: false });
}

export function removeSeat(table: string): void {
  saveSeats(ownSeats().filter((each) => each.table !== table));
}
