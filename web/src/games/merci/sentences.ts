// Events, faults, prompts and options of Merci in words; those of events are the same as in the terminal.
import type { MerciView } from '$generated/wire';
import { messages } from '$generated/told/merci';
import { cardName, theCard } from '$art/cards';
import { formatList, m } from '$device/i18n.svelte';
import type { OptionText, Who } from '../game';
import { tell, textsOf } from '../sentences';
import type { Fault, ShownEvent } from './frames';
import { fits, frontOf } from './politeness';

type Say = (places: { seat: string }) => string;

const backs: Record<string, () => string> = {
  one: () => m.merci_backs_one(),
  gift: () => m.merci_backs_gift(),
  heart: () => m.merci_backs_heart(),
  two: () => m.merci_backs_two(),
};
export const backName = (back: string): string => backs[back]?.() ?? back;

const effects: Record<string, () => string> = {
  one: () => m.merci_does_one(),
  gift: () => m.merci_does_gift(),
  heart: () => m.merci_does_heart(),
  two: () => m.merci_does_two(),
};
/** What a back does, in a sentence. */
export const effectText = (back: string | null): string => (back === null ? m.merci_does_nothing() : (effects[back]?.() ?? ''));

const words: Record<string, () => string> = {
  siouplait: () => m.merci_word_siouplait(),
  skuz: () => m.merci_word_skuz(),
  merci: () => m.merci_word_merci(),
  'merci-beaucoup': () => m.merci_word_merci_beaucoup(),
  denounce: () => m.merci_word_malpoli(),
};
/** A word of the game as on its button. */
export const wordText = (word: string): string => words[word]?.() ?? '';

/** The reasons of denunciations; `false`: there was none. */
const faults: Record<string, readonly [() => string, Say]> = {
  skuz_forgotten: [() => m.merci_fault_skuz_forgotten_you(), (p) => m.merci_fault_skuz_forgotten(p)],
  siouplait_for_skuz: [() => m.merci_fault_siouplait_for_skuz_you(), (p) => m.merci_fault_siouplait_for_skuz(p)],
  skuz_wrong: [() => m.merci_fault_skuz_wrong_you(), (p) => m.merci_fault_skuz_wrong(p)],
  siouplait_forgotten: [() => m.merci_fault_siouplait_forgotten_you(), (p) => m.merci_fault_siouplait_forgotten(p)],
  siouplait_wrong: [() => m.merci_fault_siouplait_wrong_you(), (p) => m.merci_fault_siouplait_wrong(p)],
  out_of_turn: [() => m.merci_fault_out_of_turn_you(), (p) => m.merci_fault_out_of_turn(p)],
  no_thanks: [() => m.merci_fault_no_thanks_you(), (p) => m.merci_fault_no_thanks(p)],
  wrong_thanks: [() => m.merci_fault_wrong_thanks_you(), (p) => m.merci_fault_wrong_thanks(p)],
  false: [() => m.merci_fault_false_you(), (p) => m.merci_fault_false(p)],
};

function faultText({ seat, offender, reason }: Fault['denounced'], who: (seat: number) => Who): string {
  const { you, name } = who(offender ?? seat);
  const [own, other] = faults[reason ?? 'false'] ?? [];
  return (you ? own?.() : other?.({ seat: name })) ?? '';
}

const texts = textsOf('merci', messages);

export function sentence(event: ShownEvent, who: (seat: number) => Who): string {
  if (event.event === 'fault') return faultText(event.denounced, who);
  if (event.event === 'denounced') return `${tell(event, who, texts)} ${faultText(event, who)}`;
  if (event.event === 'got') {
    const { you, name: seat } = who(event.seat);
    const cards = formatList(event.cards.map((card) => cardName(frontOf(card))));
    return you ? m.merci_got_you({ cards }) : m.merci_got_other({ seat, n: event.backs.length });
  }
  return tell(event, who, texts);
}

/** The word that is said with an event. */
export function spoken(event: ShownEvent): { seat: number; text: string } | null {
  const word = event.event === 'laid' || event.event === 'thanked' ? event.word : event.event === 'denounced' ? 'denounce' : '';
  return word in words && 'seat' in event ? { seat: event.seat, text: wordText(word) } : null;
}

export function prompt(view: MerciView): string | null {
  if (view.phase === 'turn') return view.hand.some((card) => view.tops.some((top) => fits(top, card, 'turn'))) ? m.merci_prompt_turn() : m.merci_prompt_draw();
  if (view.phase === 'heart') return m.merci_prompt_heart();
  if (view.phase === 'choose') return m.merci_prompt_choose();
  if (view.phase === 'gift') return m.merci_prompt_gift();
  return view.phase === 'thanks' ? m.merci_prompt_thanks() : null;
}

export function waits(view: MerciView, name: string): string | null {
  if (view.phase === 'thanks') return m.merci_waits_thanks({ name });
  return view.phase === 'turn' ? null : m.merci_waits_choice({ name });
}

/** An action in words, for hints. */
export function chosen(action: string): string {
  const [word = '', card = '', , where = ''] = action.split(' ');
  if (word === 'draw') return m.merci_do_draw();
  if (word === 'give') return m.merci_do_give({ card: theCard(frontOf(card)), n: Number(where) + 1 });
  if (word === 'choose') return m.seat_number({ n: Number(card) + 1 });
  if (where) return `${wordText(word)} ${m.merci_do_lay({ card: theCard(frontOf(card)), stack: where })}`.trim();
  return wordText(word) || m.merci_do_take();
}

export function outcome(view: MerciView, who: (seat: number) => Who): string {
  const [winner, ...others] = view.winners;
  if (winner === undefined) return '';
  const hearts = view.hearts[winner] ?? 0;
  if (others.length > 0) return m.merci_outcome_shared({ hearts });
  const { you, name } = who(winner);
  if (view.reserve === 0) return you ? m.merci_outcome_last_you() : m.merci_outcome_last({ name });
  const tied = view.hearts.filter((n) => n === hearts).length > 1;
  if (tied) return you ? m.merci_outcome_cards_you({ hearts }) : m.merci_outcome_cards({ name, hearts });
  return you ? m.merci_outcome_you({ hearts }) : m.merci_outcome({ name, hearts });
}

/** The value that follows the `rules` option. */
const asTheRulesSay = () => ({ label: m.merci_variant_auto(), about: m.merci_variant_auto_about() });

export const options = (): Record<string, OptionText> => ({
  rules: {
    label: m.merci_rules(),
    about: m.merci_rules_about(),
    values: {
      start: { label: m.merci_rules_start(), about: m.merci_rules_start_about() },
      full: { label: m.merci_rules_full(), about: m.merci_rules_full_about() },
    },
  },
  helper: {
    label: m.merci_helper(),
    about: m.merci_helper_about(),
    values: {
      on: { label: m.merci_helper_on(), about: m.merci_helper_on_about() },
      off: { label: m.merci_helper_off(), about: m.merci_helper_off_about() },
    },
    when: ({ rules, malpoli }) => (malpoli === 'auto' || malpoli === undefined ? rules !== 'full' : malpoli === 'off'),
  },
  false_denounce: {
    label: m.merci_false_denounce(),
    about: m.merci_false_denounce_about(),
    values: {
      auto: { label: m.merci_false_denounce_auto(), about: m.merci_false_denounce_auto_about() },
      free: { label: m.merci_false_denounce_free(), about: m.merci_false_denounce_free_about() },
      draw: { label: m.merci_false_denounce_draw(), about: m.merci_false_denounce_draw_about() },
    },
  },
  fault_window_ms: { label: m.merci_fault_window(), about: m.merci_fault_window_about(), values: {}, shown: (n) => m.settings_seconds({ n: n / 1000 }) },
  fault_ends: {
    label: m.merci_fault_ends(),
    about: m.merci_fault_ends_about(),
    values: {
      next_card: { label: m.merci_fault_ends_next_card(), about: m.merci_fault_ends_next_card_about() },
      time: { label: m.merci_fault_ends_time(), about: m.merci_fault_ends_time_about() },
    },
  },
  malpoli: {
    label: m.merci_malpoli(),
    about: m.merci_malpoli_about(),
    values: {
      auto: asTheRulesSay(),
      on: { label: m.merci_malpoli_on(), about: m.merci_malpoli_on_about() },
      off: { label: m.merci_malpoli_off(), about: m.merci_malpoli_off_about() },
    },
  },
  interception: {
    label: m.merci_interception(),
    about: m.merci_interception_about(),
    values: {
      auto: asTheRulesSay(),
      on: { label: m.merci_interception_on(), about: m.merci_interception_on_about() },
      off: { label: m.merci_interception_off(), about: m.merci_interception_off_about() },
    },
  },
  last_card_wait: {
    label: m.merci_last_card_wait(),
    about: m.merci_last_card_wait_about(),
    values: {
      auto: asTheRulesSay(),
      on: { label: m.merci_last_card_wait_on(), about: m.merci_last_card_wait_on_about() },
      off: { label: m.merci_last_card_wait_off(), about: m.merci_last_card_wait_off_about() },
    },
  },
  first_player: { label: m.merci_first_player(), about: m.merci_first_player_about(), values: {} },
});
