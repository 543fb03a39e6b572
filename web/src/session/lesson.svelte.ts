// A lesson on the screen: scenes with a set deal in which others play their part, bubbles that say one thing each,
// and actions that the learner is asked for. All of it was computed by the real rules when the page was built: what
// the learner tries is judged here, and no server is asked.
import { language, m } from '$device/i18n.svelte';
import { settings } from '$device/settings.svelte';
import { playSound } from '$device/sounds';
import { loadGame, loadLesson, loadLessonTexts } from '$games/catalog.svelte';
import type { AnyEvent, AnyView, FacePicture, Frame } from '$games/game';
import { answerTo, bubbles, type AskStep, type BubbleStep, type Lesson, type LessonTexts, type Race, type Ways } from '$games/lesson';
import type { Update } from '$generated/wire';
import { frameSpeed } from './frame-speed';
import { Pacer } from './pacer';
import { BaseStage } from './stage.svelte';

/** Milliseconds: of a count to a start, and for which one sees what rivals did first. */
const COUNT = 1000;
const LOST = 1800;

interface LessonFrame extends Frame {
  /** The time of play. */
  time: number;
  /** Nothing new: time passes, until this moment of play. */
  until?: number;
  /** Of the last frame of an update: what comes next. */
  then: (() => void) | null;
}

export class LessonStage extends BaseStage {
  /** What is said or asked now; null: others play, or the lesson is over. */
  step = $state.raw<BubbleStep | null>(null);
  /** The answer to the last mistake. */
  answer = $state<{ text: string; key: number } | null>(null);
  /** How many bubbles there have been, this one included. */
  count = $state(0);
  all = $state(0);
  over = $state(false);
  /** The lesson could not be fetched. */
  failed = $state(false);
  private lesson: Lesson | null = null;
  private texts = $state.raw<LessonTexts | null>(null);
  private scene = 0;
  private next = 0;
  private ways: Ways = {};
  private last: AnyView | null = null;
  private memory: unknown = undefined;
  private answers = 0;
  /** The pictures that faces show, by name, as CSS. */
  private pictures: Readonly<Record<string, string>> = {};
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What follows a bubble, if it is not the next step. */
  private after: (() => void) | null = null;
  /** Since when, and until which moment of play, time passes; null: it stands still. */
  private runs: { since: number; until: number } | null = null;
  /** Games of speed have a time of their own: a count of three takes as long as it takes. */
  private readonly speed = () => (this.game?.live ? 1 / settings.haste : frameSpeed());
  private readonly pacer = new Pacer<LessonFrame>((frame) => this.show(frame), this.speed);

  constructor(game: string) {
    super();
    this.expectedGame = game;
    this.stopped = performance.now();
  }

  async open(): Promise<void> {
    try {
      [this.game, this.lesson] = await Promise.all([loadGame(this.expectedGame), loadLesson(this.expectedGame), this.read()]);
      this.all = bubbles(this.lesson);
      this.pictures = Object.fromEntries(Object.entries(this.lesson.pictures).map(([name, svg]) => [name, `url("data:image/svg+xml,${encodeURIComponent(svg)}")`]));
      this.begin();
    } catch {
      this.failed = true;
    }
  }

  /** Fetches the texts of the page's language. */
  async read(): Promise<void> {
    const chosen = language();
    const texts = await loadLessonTexts(this.expectedGame, chosen);
    if (chosen === language()) this.texts = texts;
  }

  begin(): void {
    this.over = false;
    this.count = 0;
    this.startScene(0);
  }

  close(): void {
    clearTimeout(this.timer);
    this.pacer.clear();
  }

  text(key: string): string {
    return this.texts?.texts[key] ?? '';
  }

  /** An action is asked for. */
  get asks(): boolean {
    return this.step?.kind === 'ask';
  }

  override get myTurn(): boolean {
    return this.asks && super.myTurn;
  }

  override get harmless(): boolean {
    return true;
  }

  /** A tap too early changes nothing here, so no card has to be picked first. */
  override get guarded(): boolean {
    return false;
  }

  override get patient(): boolean {
    return true;
  }

  override picture(face: string): FacePicture | null {
    const image = this.pictures[this.sprites[face] ?? ''];
    return image === undefined ? null : { image, position: '0 0', size: '100%' };
  }

  override time(): number {
    const now = super.time();
    return this.runs ? Math.min(this.runs.until, now + (performance.now() - this.runs.since) / this.speed()) : now;
  }

  /** On from what was said. */
  proceed(): void {
    if (this.step?.kind !== 'say') return;
    const { after } = this;
    this.step = null;
    this.after = null;
    if (after) after();
    else this.advance();
  }

  act(action: string): void {
    const step = this.step;
    const way = step?.kind === 'ask' ? this.ways[this.listed(action)] : undefined;
    if (!way) {
      this.game?.refused?.(this, (step?.kind === 'ask' && step.codes[this.listed(action)]) || 'bad_action', action, '');
      return this.explain(action);
    }
    this.answer = null;
    this.ways = way.then;
    const done = Object.keys(way.then).length === 0;
    this.legal = [];
    if (done) {
      clearTimeout(this.timer);
      this.step = null;
    }
    this.push(way.update, 0, () => {
      if (done) this.advance();
      else this.legal = way.update.legal;
    });
  }

  explain(action: string): void {
    const step = this.step;
    if (step?.kind !== 'ask') return;
    this.notify(this.answerTo(step, this.listed(action)));
    playSound('wrong');
  }

  /** The bubble answers what was tried. */
  override notify(text: string): void {
    if (this.asks) this.answer = { text, key: ++this.answers };
  }

  private listed(action: string): string {
    return this.game?.listed?.(action) ?? action;
  }

  /** The answer of a friend: the lesson's own, or that of the game, or that it is not what is asked for. */
  private answerTo(step: AskStep, action: string): string {
    const own = answerTo(step, action);
    if (own) return this.text(own);
    const code = step.codes[action] ?? '';
    const reason = this.view && this.game?.reason(code, this.view);
    return reason ?? this.texts?.errors[code] ?? m.lesson_other();
  }

  skip(): void {
    this.pacer.skip();
  }

  private startScene(scene: number): void {
    const { lesson } = this;
    const here = lesson?.scenes[scene];
    if (!lesson || !here) {
      this.over = true;
      return;
    }
    clearTimeout(this.timer);
    this.pacer.clear();
    this.scene = scene;
    this.next = 0;
    this.seat = lesson.seat;
    this.sprites = here.faces;
    this.info = {
      ...here.table,
      seats: here.table.seats.map((each) => ({ ...each, name: each.name ?? (settings.name || m.you()), connected: true, face: each.kind === 'person' ? (settings.face ?? undefined) : each.face })),
    };
    this.last = null;
    this.memory = undefined;
    this.log = [];
    this.spoken = {};
    this.push(here.start, 0, () => this.advance());
  }

  private advance(): void {
    const step = this.lesson?.scenes[this.scene]?.steps[this.next];
    this.answer = null;
    if (!step) return this.startScene(this.scene + 1);
    this.next++;
    if (step.kind === 'play') return this.push(step.update, this.game?.live ? step.after : 0, () => this.advance());
    if (step.kind === 'start') return this.countDown(step.counts);
    this.count++;
    this.openBubble(step);
    if (step.kind === 'ask' && step.race) this.race(step, step.race);
  }

  private openBubble(step: BubbleStep): void {
    this.step = step;
    this.legal = step.kind === 'ask' ? step.legal : [];
    this.ways = step.kind === 'ask' ? step.ways : {};
  }

  private countDown(counts: number): void {
    const ms = counts * COUNT * this.speed();
    this.starting = { waitsFor: [], at: performance.now() + ms, loaded: () => 1 };
    this.timer = setTimeout(() => {
      this.starting = null;
      this.advance();
    }, ms);
  }

  /** A learner who is slower than the rivals sees what they do, and tries again without haste. */
  private race(step: AskStep, { within, update, text }: Race): void {
    const { last } = this;
    const begun: Update = { ...update, events: [], view: last as Update['view'], time: this.time() };
    const again = () => this.push(begun, 0, () => this.openBubble(step));
    this.timer = setTimeout(() => {
      this.answer = null;
      this.step = null;
      this.push(update, 0, () => {
        this.timer = setTimeout(() => {
          this.after = again;
          this.step = { kind: 'say', text, light: [] };
        }, LOST * this.speed());
      });
    }, within);
  }

  /** Shows an update, some time after the one before. */
  private push(update: Update, after: number, then: () => void): void {
    if (!this.game) return;
    const view = update.view as AnyView;
    const before = this.last;
    const frames = this.game.frames(before, { events: update.events as readonly AnyEvent[], view }, this.memory);
    this.last = view;
    this.memory = frames.at(-1)?.marks.memory;
    this.busy = true;
    this.legal = [];
    const { time } = update;
    const begun = time - after;
    if (after > 0 && this.frame) this.pacer.push([{ ...this.frame, hold: after, time: begun, until: time, then: null }]);
    const shown: LessonFrame[] = frames.map((frame) => ({ ...frame, time, then: null }));
    const end = shown.at(-1);
    // Beyond the last frame nothing is to come, but what was shown last is to be looked at for its time.
    if (!end || end.hold > 0) shown.push({ view, events: [], hold: 0, marks: end?.marks ?? { memory: this.memory }, time, then });
    else end.then = then;
    this.pacer.push(shown);
  }

  private show(frame: LessonFrame): void {
    const { then, time, until } = frame;
    this.offset = time - (this.stopped ?? 0);
    this.runs = until === undefined ? null : { since: performance.now(), until };
    if (until !== undefined) return;
    this.frame = frame;
    this.showWords(frame.events);
    this.appendLog(frame.events, 0);
    for (const event of frame.events) {
      const sound = this.game?.sound(event, this.seat);
      if (sound) playSound(sound);
    }
    if (!then) return;
    this.busy = false;
    then();
  }
}
