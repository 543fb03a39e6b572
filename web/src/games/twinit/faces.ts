// Faces in a view: the number of a card and which of its sides shows, never what is on it.
import type { TwinitView } from '$generated/wire';
import type { Stage } from '../game';

export const faceCard = (face: string): number => Number.parseInt(face, 10);

/** Whether the viewer may flip the top card: if that is awaited, unless a tie is counted down on it. */
export function flips({ view, seat, readOnly, starting, myTurn }: Pick<Stage, 'view' | 'seat' | 'readOnly' | 'starting' | 'myTurn'>): boolean {
  const { tops, counts } = view as TwinitView;
  if (seat === null || readOnly || starting || !myTurn) return false;
  const top = faceCard(tops[seat] ?? '');
  return !counts.some(({ cards }) => cards.includes(top));
}

/** All faces that lie open. */
export function openFaces(view: TwinitView): string[] {
  const faces = view.table.map((each) => each.face);
  for (const top of view.tops) if (top !== null) faces.push(top);
  return faces.concat(view.taboo.flat(), view.catches.flat(2));
}

export interface OnCard {
  seat: number;
  tied: boolean;
}

/** The hands by card. */
export function handsOn(view: TwinitView): Map<number, OnCard[]> {
  const on = new Map<number, OnCard[]>();
  view.hands.forEach((hands, seat) => {
    for (const { card, tied } of hands) on.set(card, [...(on.get(card) ?? []), { seat, tied }]);
  });
  return on;
}

export const alike = (one: readonly OnCard[], other: readonly OnCard[]): boolean =>
  one.length === other.length && one.every((each, i) => each.seat === other[i]?.seat && each.tied === other[i].tied);

/** The same list, with unchanged items as the same objects, so that only changed ones are drawn. */
export function kept<T extends { face: string; place: number }>(list: readonly T[], before: readonly T[]): readonly T[] {
  const known = new Map(before.map((each) => [each.face, each]));
  const same = list.map((each) => {
    const old = known.get(each.face);
    return old?.place === each.place ? old : each;
  });
  return same.length === before.length && same.every((each, i) => each === before[i]) ? before : same;
}
