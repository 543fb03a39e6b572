// A premove: a card chosen while others are to play, for the own turn. It is kept on this page alone and sent no
// earlier than any other card, so nobody learns of it.
import type { AnyView } from '$games/game';

export interface Premove {
  card: string;
  /** It is for a card of this round and no other. */
  round: number;
}

export const roundOf = (view: AnyView): number => (view as { round?: number }).round ?? 0;

/** What becomes of a premove once a state is shown: it waits on, it is played, it turns out to be illegal, or what it
 * was meant for is over. */
export function settlePremove({ card, round }: Premove, view: AnyView, legal: readonly string[]): 'waits' | 'plays' | 'illegal' | 'over' {
  if (roundOf(view) !== round || view.phase !== 'play') return 'over';
  if (!legal.some((each) => each.startsWith('play '))) return 'waits';
  return legal.includes(`play ${card}`) ? 'plays' : 'illegal';
}
