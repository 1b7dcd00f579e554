import { setTimeout as sleep } from 'node:timers/promises';

/** The shared outcome for all calls that came since the last run of one key began. */
interface Runs<T> {
  /** Settles when the next run may begin. */
  rested: Promise<unknown>;
  next: Promise<T> | null;
}

/**
 * Runs the same work once for many concurrent callers. The first run begins at once, and all calls until the next run may begin
 * share that next run. No run waits for another to end.
 */
export class Together<T> {
  readonly #all = new Map<string, Runs<T>>();
  readonly #everyMs: number;

  /** @param everyMs How long after the start of a run the next run of the same key begins, whether or not the run has ended */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** @returns the outcome of a run that began after this call */
  run(key: string, start: () => Promise<T>): Promise<T> {
    const under = this.#all.get(key);
    if (under) {
      under.next ??= under.rested.then(start);
      return under.next;
    }
    const runs: Runs<T> = { rested: this.#rest(), next: null };
    this.#all.set(key, runs);
    void this.#settle(key, runs);
    return start();
  }

  /** Forgets the key if no run is pending. */
  async #settle(key: string, runs: Runs<T>): Promise<void> {
    for (;;) {
      await runs.rested;
      if (runs.next === null) break;
      runs.rested = this.#rest();
      runs.next = null;
    }
    this.#all.delete(key);
  }

  #rest(): Promise<unknown> {
    return sleep(this.#everyMs, undefined, { ref: false });
  }
}
