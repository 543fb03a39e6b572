// The chat: a few polite phrases and no free text, so that it needs no moderation.
import type { Say } from '$generated/wire';
import { m } from '$device/i18n.svelte';

export type Phrase = Say['phrase'];

export const phrases: Record<Phrase, () => string> = {
  hello: () => m.phrase_hello(),
  well_played: () => m.phrase_well_played(),
  thanks: () => m.phrase_thanks(),
  oops: () => m.phrase_oops(),
  your_turn: () => m.phrase_your_turn(),
  good_game: () => m.phrase_good_game(),
  again: () => m.phrase_again(),
  bye: () => m.phrase_bye(),
};

export const phraseText = (phrase: string): string => (phrase in phrases ? phrases[phrase as Phrase]() : '');
