// A lesson as the build writes it (src/pli/server/http/lessons.py). Types alone.
import type { TableInfo, Update } from '$generated/wire';

export interface Way {
  update: Update;
  /** What is then still asked for; empty: nothing more. */
  then: Ways;
}

/** By action: what follows it. */
export type Ways = Readonly<Record<string, Way>>;

interface Bubble {
  /** The key of its text. */
  text: string;
  /** The names of what is lit (`table/lights.ts`). */
  light: readonly string[];
}

export interface SayStep extends Bubble {
  kind: 'say';
}

/** What happens to a learner who is slower than that; then it is asked for again, without haste. */
export interface Race {
  /** Milliseconds. */
  within: number;
  update: Update;
  text: string;
}

export interface AskStep extends Bubble {
  kind: 'ask';
  legal: readonly string[];
  ways: Ways;
  /** Other actions that can be tried: why each is refused, or `legal`. */
  codes: Readonly<Record<string, string>>;
  /** The key of the answer to a mistake, by action or by code. */
  answers: Readonly<Record<string, string>>;
  race: Race | null;
}

export interface PlayStep {
  kind: 'play';
  /** Milliseconds since what was shown before. */
  after: number;
  update: Update;
}

/** A count to a common start. */
export interface StartStep {
  kind: 'start';
  counts: number;
}

export type BubbleStep = SayStep | AskStep;
export type LessonStep = BubbleStep | PlayStep | StartStep;

export interface Scene {
  table: TableInfo;
  start: Update;
  steps: readonly LessonStep[];
  /** Where faces are for the eyes: the name of the picture of each. */
  faces: Readonly<Record<string, string>>;
}

export interface Lesson {
  game: string;
  /** The seat of the learner. */
  seat: number;
  scenes: readonly Scene[];
  /** As SVG, by name. */
  pictures: Readonly<Record<string, string>>;
}

export interface LessonTexts {
  texts: Readonly<Record<string, string>>;
  /** The game's reasons to refuse an action, by code. */
  errors: Readonly<Record<string, string>>;
}

/** The key of the lesson's own answer to an action that was not asked for; undefined: it has none. */
export function answerTo({ codes, answers }: AskStep, action: string): string | undefined {
  return answers[action] ?? answers[codes[action] ?? ''];
}

/** How many bubbles a lesson has. */
export const bubbles = (lesson: Lesson): number => lesson.scenes.flatMap(({ steps }) => steps).filter(({ kind }) => kind === 'say' || kind === 'ask').length;
