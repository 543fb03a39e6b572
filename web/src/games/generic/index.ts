// The client of any game that has none of its own: what the contract (`game.ts`) asks for, from what the server says
// of the game, the declared fields of its view, and the notation of its actions.
import { isSuit, sorted, type Suit } from '$art/cards';
import { m, plural } from '$device/i18n.svelte';
import type { AnyEvent, AnyView, Described, GameClient, OptionText, RoundScores } from '../game';
import { sayNumber, tell } from '../sentences';
import { withOwnCard } from '../tricks';
import Centre from './Centre.svelte';
import Choice from './Choice.svelte';
import Plate from './Plate.svelte';
import Strip from './Strip.svelte';
import { frames, hasTricks } from './frames';
import { Generic, withCapital } from './generic.svelte';
import { textsOf, type OutsideTexts } from './outside-box';

/** The client, with what its components look up. */
export interface GenericClient extends GameClient {
  generic: Generic;
}

export function clientOf(described: Described): GenericClient {
  const texts = textsOf(described);
  const generic = new Generic(described, texts);
  const { table, info } = described;
  const score = table.fields.find(({ shows }) => shows === 'score')?.name ?? table.fields.find(({ shows }) => shows === 'by_seat')?.name ?? '';
  const scoreOf = (view: AnyView, seat: number): number => generic.numbers(view, score)[seat] ?? 0;
  /** The scores before each round that this page has seen begin. */
  let begun: { round: number; scores: readonly number[] }[] = [];

  function remember(view: AnyView): void {
    const { round } = view as { round?: number };
    if (typeof round !== 'number' || round === 0) return;
    const last = begun.at(-1)?.round ?? 0;
    if (round < last) begun = [];
    if (round !== last) begun = [...begun, { round, scores: generic.numbers(view, score) }];
  }

  return {
    generic,
    hintless: !info.hints,
    suits: table.suits.filter(isSuit) as Suit[],
    frames(before, happened) {
      remember(before ?? happened.view);
      const list = frames(before, happened);
      remember(happened.view);
      return list;
    },
    preview(view, action) {
      if (hasTricks(view) && action.startsWith('play ')) return withOwnCard(view, action);
      const { hand = [] } = view as { hand?: readonly string[] };
      const card = action.slice(action.indexOf(' ') + 1);
      if (!hand.includes(card)) return null;
      return { ...view, hand: hand.filter((each) => each !== card), turn: null, awaited: [] } as AnyView;
    },
    sentence: (event, who) => tell(event, who, texts),
    sound(event) {
      const known = { played: 'card', took: 'gather', dealt: 'deal', drew: 'card', won: 'win' } as const;
      return known[event.event as keyof typeof known] ?? ('points' in event ? 'pay' : null);
    },
    hand: (view) => sorted(((view as { hand?: readonly unknown[] }).hand ?? []).map(String), (view as { trump?: string | null }).trump),
    touch: (card, legal) => generic.touch(card, legal),
    reason: () => null,
    prompt: (view) => generic.prompt(view.phase),
    chosen: (action) => generic.described(action),
    options: () => Object.fromEntries(info.options.map((option) => [option.name, optionText(option, texts)])),
    rounds(_events, seats, view): RoundScores[] {
      const now = Array.from({ length: seats }, (_, seat) => scoreOf(view, seat));
      const ends = begun.map(({ round }, i) => ({ label: m.round_n({ n: round }), scores: begun[i + 1]?.scores ?? now }));
      const [first] = begun;
      // Of rounds before this page came only the end of the last one is known.
      return first && first.round > 1 ? [{ label: m.round_n({ n: first.round - 1 }), scores: first.scores }, ...ends] : ends;
    },
    roundEnd(events, sentence) {
      const told = (which: (event: AnyEvent) => boolean) => events.filter(which).map(sentence).filter(Boolean).join(' ');
      const last = events.findLastIndex(({ event }) => event === 'took' || event === 'played');
      return {
        why: told((event) => events.indexOf(event) > last && event.event !== 'round_over' && event.event !== 'won'),
        next: told(({ event }) => event === 'round_over'),
      };
    },
    outcome(view, who) {
      const [winner, ...others] = view.winners;
      if (winner === undefined || others.length > 0) return '';
      const points = scoreOf(view, winner);
      return tell({ event: 'won', seat: winner, points } as AnyEvent, who, texts);
    },
    score: scoreOf,
    unit: (n) => sayNumber(texts, 'unit', n) || plural(n, m.points_one, m.points),
    Strip,
    Centre,
    Plate,
    Choice,
  } satisfies GenericClient;
}

type Option = Described['info']['options'][number];

/** An option in words; without any, its name and values. */
function optionText({ name, values, least }: Option, texts: OutsideTexts): OptionText {
  const words = values.filter((value): value is string => typeof value === 'string');
  const seat = words.length === 1 && words[0] === 'random' && least === 0;
  const of = (value: string, part: string) => texts.get(`options.${name}.values.${value}.${part}`);
  const label = texts.get(`options.${name}.label`) ?? withCapital(name.replaceAll('_', ' '));
  return {
    label,
    about: texts.get(`options.${name}.about`) ?? '',
    values: seat ? {} : Object.fromEntries(words.map((value) => [value, { label: of(value, 'label') ?? value, about: of(value, 'about') ?? '' }])),
  };
}

