import { TAB_FREE_AFTER_MS } from '../protocol/room/holder-question.ts';

/** Waits before a taken lock is requested again, milliseconds. On a reload the previous page may not be quite gone. */
const ASK_AGAIN_AFTER_MS = [50, 150, 300, 600];

/** Lets one tab of a browser at a time hold a name. Holding it also keeps the browser from freezing the tab. */
export interface TabLock {
  /** @returns false when another tab holds it (never with `steal`) */
  acquire(name: string, options: { steal: boolean }): Promise<boolean>;
  /** Waits until no other tab has held it for {@link TAB_FREE_AFTER_MS}, and takes it. @returns false when the wait was aborted */
  waitFor(name: string, signal: AbortSignal): Promise<boolean>;
  release(): void;
}

/**
 * Creates a Web Lock held from `acquire` to `release`. Where the browser has none (a page without https), every tab gets it.
 * The browser answers each request, never a time-out: a busy page would take its own slowness for another tab.
 * @param sleep waits this many milliseconds
 * @param onStolen called when another tab took the lock over
 */
export function createTabLock(
  locks: Pick<LockManager, 'request'> | undefined,
  sleep: (ms: number) => Promise<void>,
  onStolen: () => void,
): TabLock {
  let held: { name: string; letGo: () => void } | null = null;
  /** Counts the requests, so that the browser's answer to an older one is ignored. */
  let newest = 0;

  async function acquire(name: string, { steal }: { steal: boolean }): Promise<boolean> {
    // A lock that another tab has stolen looks held until the browser reports it, so a take-over always asks.
    if (!locks || (held?.name === name && !steal)) return true;
    newest += 1;
    const attempt = newest;
    release();
    if (steal) return ask(locks, name, { steal: true }, attempt);
    for (const waitMs of ASK_AGAIN_AFTER_MS) {
      if (await ask(locks, name, { ifAvailable: true }, attempt)) return true;
      await sleep(waitMs);
    }
    return ask(locks, name, { ifAvailable: true }, attempt);
  }

  async function waitFor(name: string, signal: AbortSignal): Promise<boolean> {
    if (!locks) return false;
    while (!signal.aborted) {
      newest += 1;
      const queued = newest;
      await ask(locks, name, { signal }, queued);
      if (queued === newest) release();
      if (signal.aborted) return false;
      // A tab that reloads asks for its lock again.
      await sleep(TAB_FREE_AFTER_MS);
      if (signal.aborted) return false;
      newest += 1;
      const attempt = newest;
      if (!(await ask(locks, name, { ifAvailable: true }, attempt))) continue;
      if (!signal.aborted) return true;
      if (attempt === newest) release();
    }
    return false;
  }

  function ask(from: Pick<LockManager, 'request'>, name: string, options: LockOptions, attempt: number): Promise<boolean> {
    return new Promise((resolve) => {
      // Where site data is blocked, a browser may throw instead of rejecting.
      const request = async (): Promise<unknown> =>
        from.request(name, options, (lock) => {
          resolve(lock !== null);
          if (lock === null || attempt !== newest) return undefined;
          return new Promise<void>((letGo) => {
            held = { name, letGo };
          });
        });
      request().catch(() => {
        // Rejected after it was granted: the lock was stolen. Rejected before: the browser has no locks for this page.
        resolve(true);
        if (held === null || attempt !== newest) return;
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

  return { acquire, waitFor, release };
}
