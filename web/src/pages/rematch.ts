// Who wants which rematch.
import type { TableInfo } from '$generated/wire';

/** The kind of rematch before which options and seats can be changed. */
export const OPTIONS = 'options';

export interface Wishes {
  /** The kind that the viewer asked for. */
  own: string | null;
  /** Seats of others who asked. */
  asked: number[];
  /** Seats of others who are present and did not. */
  missing: number[];
  /** What to join: other options if anybody wants them, otherwise the kind that was asked for first. */
  kind: string;
}

export function wishes(info: TableInfo | null, own: number | null): Wishes {
  const seats = info?.seats ?? [];
  const others = seats.flatMap((each, seat) => (each.kind === 'person' && seat !== own ? [seat] : []));
  const asked = others.filter((seat) => seats[seat]?.again);
  const kinds = asked.flatMap((seat) => seats[seat]?.again ?? []);
  return {
    own: (own === null ? null : seats[own]?.again) ?? null,
    asked,
    missing: others.filter((seat) => !seats[seat]?.again && seats[seat]?.connected),
    kind: kinds.includes(OPTIONS) ? OPTIONS : (kinds[0] ?? info?.kinds[0] ?? 'same'),
  };
}
