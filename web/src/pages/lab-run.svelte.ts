// A run of the lab, as its page shows it.
import type { LabQuestion, LabState } from '$generated/wire';
import { m } from '$device/i18n.svelte';
import * as api from '$net/api';

export class LabRun {
  /** What the last run has shown, while it goes on and after. */
  state: LabState | null = $state.raw(null);
  question: LabQuestion | null = $state.raw(null);
  running = $state(false);
  /** Whether the player stopped it. */
  stopped = $state(false);
  problem = $state('');
  /** Seconds until it is over, about; null: that is not known. */
  left: number | null = $state(null);
  #ends: AbortController | null = null;

  /** Plays until all is played, the time is over, or it is stopped. `seconds`: the most that the server plays. */
  async start(question: LabQuestion, seconds: number): Promise<void> {
    this.stop();
    const ends = (this.#ends = new AbortController());
    Object.assign(this, { question, state: null, running: true, stopped: false, problem: '', left: null });
    let began = 0;
    try {
      for await (const state of api.labRun(question, ends.signal)) {
        if (this.#ends !== ends) return;
        this.state = state;
        if (state.problem) this.problem = state.problem.text;
        const now = performance.now() / 1000;
        if (state.state === 'playing' && state.games > 0) {
          began ||= now;
          const took = now - began;
          if (took > 1) this.left = Math.max(0, Math.min(seconds - took, (took * (state.wanted - state.games)) / state.games));
        }
      }
      if (this.state?.state !== 'over') this.problem = m.failed();
    } catch (error) {
      if (!ends.signal.aborted) this.problem = error instanceof api.ApiError ? error.message || (error.code === 'offline' ? m.offline() : m.failed()) : m.failed();
    } finally {
      if (this.#ends === ends) this.#end();
    }
  }

  stop(): void {
    if (!this.#ends) return;
    this.stopped = true;
    this.#ends.abort();
    this.#end();
  }

  #end(): void {
    this.#ends = null;
    this.running = false;
    this.left = null;
  }
}
