import { describe, expect, it } from 'vitest';
import { createTabLock } from '../../src/room/tab-lock.ts';

/** The browser’s locks, for tabs that are all in this test. @param tell how a tab learns that its lock was stolen */
function createLocks(notify: (updates: () => void) => void = (updates) => updates()) {
  const holders = new Map<string, (reason: Error) => void>();
  const request = async (name: string, options: LockOptions, use: LockGrantedCallback<unknown>): Promise<unknown> => {
    await Promise.resolve();
    if (holders.has(name) && !options.steal) return use(null);
    const stolenFrom = holders.get(name);
    if (stolenFrom) notify(() => stolenFrom(new DOMException('stolen', 'AbortError')));
    return new Promise((resolve, reject) => {
      holders.set(name, reject);
      Promise.resolve(use({ name, mode: 'exclusive' })).then((value) => {
        if (holders.get(name) === reject) holders.delete(name);
        resolve(value);
      }, reject);
    });
  };
  return { holders, locks: { request } as unknown as Pick<LockManager, 'request'> };
}

function createTab(locks: Pick<LockManager, 'request'> | undefined, whileWaiting: (ms: number) => void = () => {}) {
  const tab = { stolen: 0, waitedMs: 0 };
  const lock = createTabLock(
    locks,
    async (ms) => {
      tab.waitedMs += ms;
      whileWaiting(tab.waitedMs);
    },
    () => {
      tab.stolen += 1;
    },
  );
  return { lock, tab };
}

it('every tab gets the lock if the browser throws at each request, as with blocked site data', async () => {
  const blocked = {
    request: () => {
      throw new DOMException('denied', 'SecurityError');
    },
  } as unknown as Pick<LockManager, 'request'>;
  const { lock, tab } = createTab(blocked);
  expect(await lock.acquire('robot', { steal: false })).toBe(true);
  expect(await lock.acquire('robot', { steal: true })).toBe(true);
  expect(tab.stolen).toBe(0);
});

describe('the lock of one tab', () => {
  it('the lock goes to the first tab, and to the second when the first releases it', async () => {
    const { locks } = createLocks();
    const [first, second] = [createTab(locks), createTab(locks)];
    expect(await first.lock.acquire('r', { steal: false })).toBe(true);
    expect(await second.lock.acquire('r', { steal: false })).toBe(false);
    first.lock.release();
    expect(await second.lock.acquire('r', { steal: false })).toBe(true);
    expect(first.tab.stolen).toBe(0);
  });

  it('the lock bridges the moment in which a reloaded page is not quite gone', async () => {
    const { locks } = createLocks();
    const before = createTab(locks);
    await before.lock.acquire('r', { steal: false });
    const after = createTab(locks, (waitedMs) => {
      if (waitedMs >= 200) before.lock.release();
    });
    expect(await after.lock.acquire('r', { steal: false })).toBe(true);
    expect(after.tab.waitedMs).toBeLessThan(1_200);
  });

  it('the tab whose lock is stolen is notified once', async () => {
    const { locks } = createLocks();
    const [first, second] = [createTab(locks), createTab(locks)];
    await first.lock.acquire('r', { steal: false });
    expect(await second.lock.acquire('r', { steal: true })).toBe(true);
    await Promise.resolve();
    await Promise.resolve();
    expect([first.tab.stolen, second.tab.stolen]).toEqual([1, 0]);
    first.lock.release();
    expect(await first.lock.acquire('r', { steal: false })).toBe(false);
  });

  it('the lock goes to the last tab that takes it over, even if that tab does not know yet that it lost the lock itself', async () => {
    const updates: (() => void)[] = [];
    const { locks } = createLocks((each) => updates.push(each));
    const [first, second] = [createTab(locks), createTab(locks)];
    await first.lock.acquire('r', { steal: false });
    await second.lock.acquire('r', { steal: true });
    expect(await first.lock.acquire('r', { steal: true })).toBe(true);
    for (const notify of updates) notify();
    await new Promise((resolve) => setImmediate(resolve));
    expect([first.tab.stolen, second.tab.stolen]).toEqual([0, 1]);
    expect(await second.lock.acquire('r', { steal: false })).toBe(false);
    first.lock.release();
    expect(await second.lock.acquire('r', { steal: false })).toBe(true);
  });

  it('the lock is the same for a tab that asks twice at once, and is free when that tab releases it', async () => {
    for (const steal of [false, true]) {
      const { locks, holders } = createLocks();
      const { lock, tab } = createTab(locks);
      const both = [lock.acquire('r', { steal }), lock.acquire('r', { steal })];
      expect(await Promise.all(both)).toEqual([true, true]);
      await new Promise((resolve) => setImmediate(resolve));
      expect(tab.stolen).toBe(0);
      expect(holders.size).toBe(1);
      lock.release();
      await new Promise((resolve) => setImmediate(resolve));
      expect(holders.size).toBe(0);
    }
  });

  it('tabs work without the lock if the browser has no locks', async () => {
    expect(await createTab(undefined).lock.acquire('r', { steal: false })).toBe(true);
  });
});

describe('a tab that waits for the lock', () => {
  /** Locks whose requests without `ifAvailable` queue, as a browser’s do, and waits that the test ends. */
  function createQueue() {
    const queue: (() => void)[] = [];
    let isHeld = false;
    const request = async (_name: string, options: LockOptions, use: LockGrantedCallback<unknown>): Promise<unknown> => {
      await Promise.resolve();
      if (isHeld && options.ifAvailable) return use(null);
      if (isHeld)
        await new Promise<void>((resolve, reject) => {
          queue.push(resolve);
          options.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')), { once: true });
        });
      isHeld = true;
      await use({ name: _name, mode: 'exclusive' });
      isHeld = false;
      queue.shift()?.();
      return undefined;
    };
    const waits: (() => void)[] = [];
    const tab = () =>
      createTabLock(
        { request } as unknown as Pick<LockManager, 'request'>,
        () => new Promise((resolve) => waits.push(resolve)),
        () => {
          throw new Error('stolen');
        },
      );
    return { tab, waits, isHeld: () => isHeld };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('a waiting tab takes the lock if no tab asked for it again within the time of a reload', async () => {
    const { tab, waits, isHeld } = createQueue();
    const [holder, waiting] = [tab(), tab()];
    await holder.acquire('r', { steal: false });
    const got = waiting.waitFor('r', new AbortController().signal);
    await settle();
    expect(waits).toHaveLength(0);
    holder.release();
    await settle();
    expect([waits.length, isHeld()]).toEqual([1, false]);
    waits[0]?.();
    expect(await got).toBe(true);
    expect(isHeld()).toBe(true);
  });

  it('a waiting tab leaves the lock to a tab that reloads, and keeps waiting', async () => {
    const { tab, waits } = createQueue();
    const [holder, waiting, reloaded] = [tab(), tab(), tab()];
    await holder.acquire('r', { steal: false });
    let outcome: boolean | null = null;
    void waiting.waitFor('r', new AbortController().signal).then((got) => {
      outcome = got;
    });
    await settle();
    holder.release();
    await settle();
    expect(await reloaded.acquire('r', { steal: false })).toBe(true);
    waits[0]?.();
    await settle();
    expect(outcome).toBeNull();
  });

  it('a waiting tab holds nothing after its wait was aborted', async () => {
    const { tab, waits, isHeld } = createQueue();
    const [holder, waiting] = [tab(), tab()];
    await holder.acquire('r', { steal: false });
    for (const whileQueued of [true, false]) {
      const aborted = new AbortController();
      const got = waiting.waitFor('r', aborted.signal);
      await settle();
      if (!whileQueued) {
        holder.release();
        await settle();
      }
      aborted.abort();
      for (const wake of waits.splice(0)) wake();
      expect(await got).toBe(false);
    }
    await settle();
    expect(isHeld()).toBe(false);
  });
});
