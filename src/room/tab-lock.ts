/** Waiting this long for a lock bridges a reload: the page before this one may not be quite gone. */
const WAIT_MS = 800;

/** One tab of a browser at a time; holding it also keeps the browser from freezing the tab. */
export interface TabLock {
  /** @returns false when another tab holds it (never with `steal`) */
  acquire(name: string, options: { steal: boolean }): Promise<boolean>;
  release(): void;
}

/**
 * A Web Lock held from `acquire` to `release`. Where the browser has none (a page without https), every tab gets it.
 * @param onStolen another tab took it over
 */
export function createTabLock(locks: LockManager | undefined, onStolen: () => void): TabLock {
  let held: { name: string; letGo: () => void } | null = null;

  function acquire(name: string, { steal }: { steal: boolean }): Promise<boolean> {
    if (!locks || held?.name === name) return Promise.resolve(true);
    release();
    return new Promise((resolve) => {
      let granted = false;
      const keep = (): Promise<void> =>
        new Promise((letGo) => {
          granted = true;
          held = { name, letGo };
          resolve(true);
        });
      const options: LockOptions = steal ? { steal: true } : { signal: AbortSignal.timeout(WAIT_MS) };
      locks.request(name, options, keep).catch(() => {
        if (!granted) return resolve(false);
        // Rejected after it was granted: stolen.
        if (held?.name === name) {
          held = null;
          onStolen();
        }
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
