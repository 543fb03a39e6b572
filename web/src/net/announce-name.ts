// Tells the tables at which this device has a seat that its player has another name or portrait.
import { ownSeats, type OwnSeat } from '$device/own-seats';
import { player } from '$device/player-name';
import * as api from './api';

/** Those that were used last: the others are finished by now. */
const MOST = 8;

/** Why the server refuses the name; empty: it does not. A table that can't be reached keeps the old one. */
export async function announceName(): Promise<string> {
  const rename = ({ table, token }: OwnSeat) => api.rename(table, { token, ...player() });
  const answers = await Promise.allSettled(ownSeats().slice(0, MOST).map(rename));
  const refusals = answers.flatMap((each) => (each.status === 'rejected' && api.isNameError(each.reason) ? [each.reason.message] : []));
  return refusals[0] ?? '';
}
