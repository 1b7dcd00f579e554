import { setTimeout as sleep } from 'node:timers/promises';

/** What is under way for one key, and what all that came meanwhile wait for. */
interface Runs<T> {
  /** Ends when the next may begin. */
  rested: Promise<unknown>;
  next: Promise<T> | null;
}

/**
 * Does the same thing for many that ask at once: one run under way for each key, and at most one more for all that come meanwhile. The
 * first is never kept waiting.
 */
export class Together<T> {
  readonly #all = new Map<string, Runs<T>>();
  readonly #restMs: number;

  /** @param restMs How long after a run the next of the same key begins at the earliest */
  constructor(restMs = 0) {
    this.#restMs = restMs;
  }

  /** @returns the outcome of a run that began after this call */
  run(key: string, start: () => Promise<T>): Promise<T> {
    const under = this.#all.get(key);
    if (under) {
      under.next ??= under.rested.then(start);
      return under.next;
    }
    const running = start();
    const runs: Runs<T> = { rested: this.#rest(running), next: null };
    this.#all.set(key, runs);
    void this.#settle(key, runs);
    return running;
  }

  /** Forgets the key when the last run is over. */
  async #settle(key: string, runs: Runs<T>): Promise<void> {
    for (;;) {
      await runs.rested;
      if (runs.next === null) break;
      runs.rested = this.#rest(runs.next);
      runs.next = null;
    }
    this.#all.delete(key);
  }

  #rest(run: Promise<T>): Promise<unknown> {
    const pause = (): unknown => (this.#restMs === 0 ? undefined : sleep(this.#restMs, undefined, { ref: false }));
    return run.then(pause, pause);
  }
}
