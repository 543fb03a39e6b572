// How a round ended, for the panel that is shown before the next one: from the log, by what each game says of it.
import { m } from '$device/i18n.svelte';
import type { AnyEvent, Stage } from './game';
import { isDeal } from './round-scores';

/** Milliseconds for which the end of a round is shown, at a calm pace. Bots wait as long with their first move
 * (`round_pause.py`). */
export const ROUND_END = 6000;

export interface RoundSummary {
  title: string;
  why: string;
  rows: readonly { seat: number; before: number; after: number }[];
  next: string;
}

/** The events of the round that was dealt last. */
export function eventsOfRound(log: readonly AnyEvent[]): readonly AnyEvent[] {
  return log.slice(log.findLastIndex(isDeal) + 1);
}

/** Where the events of a round's end stop and those of the next round begin. */
export function splitAtDeal<E extends AnyEvent>(events: readonly E[]): [ending: readonly E[], next: readonly E[]] {
  const deal = events.findIndex(isDeal);
  return deal < 0 ? [events, []] : [events.slice(0, deal), events.slice(deal)];
}

/** Null: the log has not arrived, or the game says nothing of rounds. */
export function roundSummary({ game, view, log, seats, who, sentence }: RoundSource): RoundSummary | null {
  const events = log.map(({ event }) => event);
  const round = events.findLast(isDeal)?.round;
  if (!game?.roundEnd || !view || round === undefined) return null;
  const scores = game.rounds(events, seats, view).map((each) => each.scores);
  const [before, after] = [scores.at(-2), scores.at(-1)];
  const { why, next } = game.roundEnd(eventsOfRound(events), sentence, who);
  const rows = Array.from({ length: seats }, (_, seat) => {
    const now = game.score(view, seat);
    return { seat, before: now - ((after?.[seat] ?? 0) - (before?.[seat] ?? 0)), after: now };
  });
  return { title: m.round_end({ n: round }), why, rows, next: next || m.round_end_next() };
}

type RoundSource = Pick<Stage, 'game' | 'view' | 'log' | 'seats' | 'who' | 'sentence'>;
