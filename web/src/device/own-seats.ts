// The secrets that prove which seats are ours, kept on this device by table.
export interface OwnSeat {
  table: string;
  game: string;
  seat: number;
  token: string;
  /** When it was last used: the home page offers the newest first. */
  used: number;
  /** Its table was made to be played at once: a page that is loaded anew meanwhile still knows. */
  begins?: boolean;
}

const KEY = 'pli.seats';
const MOST = 50;

function all(): OwnSeat[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? (found as OwnSeat[]) : [];
  } catch {
    return [];
  }
}

function save(seats: OwnSeat[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(seats.slice(0, MOST)));
  } catch {
    // without storage a seat lasts as long as its page
  }
}

export function ownSeats(): OwnSeat[] {
  return all().sort((a, b) => b.used - a.used);
}

export function ownSeat(table: string): OwnSeat | null {
  return all().find((each) => each.table === table) ?? null;
}

export function keepSeat(seat: OwnSeat): void {
  save([seat, ...ownSeats().filter((each) => each.table !== seat.table)]);
}

/** It has been asked for the cards. */
export function begun(table: string): void {
  const seat = ownSeat(table);
  if (seat) keepSeat({ ...seat, begins: false });
}

export function dropSeat(table: string): void {
  save(ownSeats().filter((each) => each.table !== table));
}
