// What the components of the generic table look up: the game's words, the fields of its view, and what its actions do.
import { colourName, isSuit, suitOf, theCard } from '$art/cards';
import type { Language } from '$device/languages';
import type { AnyView, Described, Stage } from '../game';
import { filled } from '../sentences';
import type { OutsideTexts } from './outside-box';

type Shows = Described['table']['fields'][number]['shows'];

/** A verb and what it is done with, if anything. */
export function wordsOf(action: string): { verb: string; what: string } {
  const space = action.indexOf(' ');
  return space < 0 ? { verb: action, what: '' } : { verb: action.slice(0, space), what: action.slice(space + 1) };
}

export const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export class Generic {
  /** The verb that a tap on a card stands for, of several that are possible. */
  verb = $state<string | null>(null);

  constructor(
    private readonly game: Described,
    private readonly texts: OutsideTexts,
  ) {}

  /** The fields of the view that are shown in one of these ways. */
  fields(...ways: Shows[]): string[] {
    return this.game.table.fields.filter(({ shows }) => ways.includes(shows)).map(({ name }) => name);
  }

  /** What a field is called. */
  label(field: string): string {
    const board = this.texts.get(`board.${field}`);
    return this.texts.get(`fields.${field}`) ?? (board?.includes('{') ? undefined : board) ?? withCapital(field.replaceAll('_', ' '));
  }

  /** The numbers of all seats in a field. */
  numbers(view: AnyView, field: string): readonly number[] {
    const value = (view as unknown as Record<string, unknown>)[field];
    return Array.isArray(value) ? (value as number[]) : [];
  }

  /** The cards in a field. */
  cards(view: AnyView, field: string): readonly string[] {
    const value = (view as unknown as Record<string, unknown>)[field];
    return Array.isArray(value) ? value.map(String) : [];
  }

  value(view: AnyView, field: string): unknown {
    return (view as unknown as Record<string, unknown>)[field];
  }

  /** What is asked for in a phase; null: a card, as always. */
  prompt(phase: string): string | null {
    return phase === 'play' ? null : (this.texts.get(`prompts.${phase}`) ?? null);
  }

  /** What can be done with a card, by the verbs for it. */
  private verbsFor(card: string, legal: readonly string[]): string[] {
    return legal.map(wordsOf).flatMap(({ verb, what }) => (what === card ? [verb] : []));
  }

  /** What a tap on a card does. */
  touch(card: string, legal: readonly string[]): string {
    const verbs = this.verbsFor(card, legal);
    const chosen = verbs.find((each) => each === this.verb) ?? verbs[0];
    if (chosen !== undefined) return `${chosen} ${card}`;
    const other = legal.map(wordsOf).find(({ what }) => suitOf(what) !== null);
    return `${other?.verb ?? 'play'} ${card}`;
  }

  /** The verbs of which one has to be chosen for taps on cards. */
  verbs(stage: Stage): string[] {
    const hand = this.handOf(stage);
    const all = [...new Set(hand.flatMap((card) => this.verbsFor(card, stage.legal)))];
    return all.length > 1 ? all : [];
  }

  /** The actions that are no card of the hand. */
  buttons(stage: Stage): string[] {
    const hand = this.handOf(stage);
    return stage.legal.filter((action) => !hand.includes(wordsOf(action).what));
  }

  /** Whether a card of the hand can be touched now. */
  touchable(stage: Stage): boolean {
    const hand = this.handOf(stage);
    return stage.legal.some((action) => hand.includes(wordsOf(action).what));
  }

  private handOf(stage: Stage): readonly string[] {
    return stage.view && stage.game ? stage.game.hand(stage.view) : [];
  }

  /** An action in words. */
  described(action: string): string {
    const { verb, what } = wordsOf(action);
    if (verb === 'play' && suitOf(what)) return theCard(what);
    const key = `actions.${verb}`;
    const text = this.texts.get(key);
    const said = what && this.said(what, text === undefined ? undefined : this.texts.languageOf(key));
    return text === undefined ? `${verb} ${said}`.trim() : filled(text, { what: said });
  }

  /** The same on a button. A suit says enough. */
  button(action: string): string {
    const { what } = wordsOf(action);
    return withCapital(isSuit(what) ? this.said(what) : this.described(action));
  }

  /** A verb on a button that chooses it. */
  verbName(verb: string): string {
    const text = this.texts.get(`verbs.${verb}`) ?? this.texts.get(`actions.${verb}`) ?? verb;
    return withCapital(filled(text, { what: '' }).trim());
  }

  private said(what: string, locale?: Language): string {
    return isSuit(what) ? colourName(what, locale) : (this.texts.get(`colours.${what}`) ?? theCard(what, locale));
  }
}

/** Of the game at a table. */
export const genericOf = (stage: Stage): Generic => (stage.game as unknown as { generic: Generic }).generic;
