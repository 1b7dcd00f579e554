import { setTimeout as sleep } from 'node:timers/promises';

/** What all that came since the last run of one key began wait for. */
interface Runs<T> {
  /** Ends when the next may begin. */
  rested: Promise<unknown>;
  next: Promise<T> | null;
}

/**
 * Does the same thing for many that ask at once: the first begins at once, and all that come until the next may begin share the next. No
 * run waits for the end of another.
 */
export class Together<T> {
  readonly #all = new Map<string, Runs<T>>();
  readonly #everyMs: number;

  /** @param everyMs How long after the begin of a run the next of the same key begins, whether the run has ended or not */
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

  /** Forgets the key when no run is to begin. */
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
