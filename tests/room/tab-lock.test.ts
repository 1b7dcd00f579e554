import { describe, expect, it } from 'vitest';
import { createTabLock } from '../../src/room/tab-lock.ts';

/** The browser's locks, for tabs that are all in this test. @param tell how a tab comes to hear that its lock was stolen */
function createLocks(tell: (news: () => void) => void = (news) => news()) {
  const holders = new Map<string, (reason: Error) => void>();
  const request = async (name: string, options: LockOptions, use: LockGrantedCallback<unknown>): Promise<unknown> => {
    await Promise.resolve();
    if (holders.has(name) && !options.steal) return use(null);
    const stolenFrom = holders.get(name);
    if (stolenFrom) tell(() => stolenFrom(new DOMException('stolen', 'AbortError')));
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

it('gives every tab the lock where the browser throws at each request, as with blocked site data', async () => {
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

describe('one tab at a time', () => {
  it('gives the lock to the first tab, and to the second when the first lets go', async () => {
    const { locks } = createLocks();
    const [first, second] = [createTab(locks), createTab(locks)];
    expect(await first.lock.acquire('r', { steal: false })).toBe(true);
    expect(await second.lock.acquire('r', { steal: false })).toBe(false);
    first.lock.release();
    expect(await second.lock.acquire('r', { steal: false })).toBe(true);
    expect(first.tab.stolen).toBe(0);
  });

  it('bridges the moment in which a reloaded page is not quite gone', async () => {
    const { locks } = createLocks();
    const before = createTab(locks);
    await before.lock.acquire('r', { steal: false });
    const after = createTab(locks, (waitedMs) => {
      if (waitedMs >= 200) before.lock.release();
    });
    expect(await after.lock.acquire('r', { steal: false })).toBe(true);
    expect(after.tab.waitedMs).toBeLessThan(1_200);
  });

  it('tells the tab whose lock is stolen, once', async () => {
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

  it('goes to the tab that takes it over last, also when it has not heard yet that it was stolen from itself', async () => {
    const news: (() => void)[] = [];
    const { locks } = createLocks((each) => news.push(each));
    const [first, second] = [createTab(locks), createTab(locks)];
    await first.lock.acquire('r', { steal: false });
    await second.lock.acquire('r', { steal: true });
    expect(await first.lock.acquire('r', { steal: true })).toBe(true);
    for (const tell of news) tell();
    await new Promise((resolve) => setImmediate(resolve));
    expect([first.tab.stolen, second.tab.stolen]).toEqual([0, 1]);
    expect(await second.lock.acquire('r', { steal: false })).toBe(false);
    first.lock.release();
    expect(await second.lock.acquire('r', { steal: false })).toBe(true);
  });

  it('is one lock for a tab that asks twice at once, and is no longer held when that lets go', async () => {
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

  it('is no obstacle where the browser has no locks', async () => {
    expect(await createTab(undefined).lock.acquire('r', { steal: false })).toBe(true);
  });
});
