/** A reload may find the page before it not quite gone: a lock that is taken is asked for again after these waits. */
const ASK_AGAIN_AFTER_MS = [50, 150, 300, 600];

/** One tab of a browser at a time; holding it also keeps the browser from freezing the tab. */
export interface TabLock {
  /** @returns false when another tab holds it (never with `steal`) */
  acquire(name: string, options: { steal: boolean }): Promise<boolean>;
  release(): void;
}

/**
 * A Web Lock held from `acquire` to `release`. Where the browser has none (a page without https), every tab gets it.
 * Each question is answered by the browser, never by a time-out: a busy page would take its own slowness for another tab.
 * @param sleep waits so many milliseconds
 * @param onStolen another tab took it over
 */
export function createTabLock(
  locks: Pick<LockManager, 'request'> | undefined,
  sleep: (ms: number) => Promise<void>,
  onStolen: () => void,
): TabLock {
  let held: { name: string; letGo: () => void } | null = null;
  /** Counts the questions: what the browser says of an older one is no news of the newest. */
  let newest = 0;

  async function acquire(name: string, { steal }: { steal: boolean }): Promise<boolean> {
    // What another tab has stolen looks held until the browser says so: whoever takes over asks in any case.
    if (!locks || (held?.name === name && !steal)) return true;
    newest += 1;
    const turn = newest;
    release();
    if (steal) return ask(locks, name, { steal: true }, turn);
    for (const waitMs of ASK_AGAIN_AFTER_MS) {
      if (await ask(locks, name, { ifAvailable: true }, turn)) return true;
      await sleep(waitMs);
    }
    return ask(locks, name, { ifAvailable: true }, turn);
  }

  function ask(from: Pick<LockManager, 'request'>, name: string, options: LockOptions, turn: number): Promise<boolean> {
    return new Promise((resolve) => {
      from
        .request(name, options, (lock) => {
          resolve(lock !== null);
          if (lock === null || turn !== newest) return undefined;
          return new Promise<void>((letGo) => {
            held = { name, letGo };
          });
        })
        .catch(() => {
          // Rejected after it was granted: stolen. Before, the browser has no locks for this page.
          resolve(true);
          if (held === null || turn !== newest) return;
          held = null;
          onStolen();
        });
    });
  }

  function release(): void {
    const letGo = held?.letGo;
    held = null;
    letGo?.();
  }

  return { acquire, release };
}
