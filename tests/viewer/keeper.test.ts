/** Keeping a world in the browser: which tab may write, what is resumed, and what the page learns. */
import { describe, expect, it } from 'vitest';
import type { KeepOrder } from '../../src/runtime/host/sim-messages.ts';
import { createLedger, recall, remember, remembered } from '../../src/runtime/ledger.ts';
import type { AcceptedAction, KeptAction, KeptRuntime, Runtime } from '../../src/runtime/runtime.ts';
import { createKeeper, type KeeperFind, type KeeperUpdate } from '../../src/viewer/engine/kept/keeper.ts';
import type { WorldStore } from '../../src/viewer/engine/kept/world-store.ts';
import { settle, storedAction } from './engine-fixture.ts';
import { createFakeWorlds } from './fake-worlds.ts';

const PLACE = 'room/robot';
const order = (over: Partial<KeepOrder> = {}): KeepOrder => ({
  place: PLACE,
  isMine: true,
  isFresh: false,
  wasThere: false,
  goneAtMs: null,
  forget: [],
  ...over,
});
const worldOf = (step: number, seed = 7) =>
  ({
    world: { step, seed, hash: `hash ${step}` },
    emergency: { latched: null, pressIds: [], release: null },
  }) as unknown as KeptRuntime;

/** One browser with any number of tabs. */
function createBrowser() {
  let isForbidden = false;
  let isFull = false;
  let hold: Promise<void> | null = null;
  const store = createFakeWorlds(
    async () => {
      await hold;
      if (isForbidden) throw new Error('forbidden');
    },
    () => isFull,
  );
  const { records } = store;
  let writes = 0;
  const counting: WorldStore = {
    ...store,
    put(batch) {
      if (batch.world) writes += 1;
      return store.put(batch);
    },
  };
  let tabs = 0;
  let nowMs = 1_000;
  return {
    records,
    actions: store.actions,
    writes: () => writes,
    pass: (ms: number) => {
      nowMs += ms;
    },
    forbid: (forbidden: boolean) => {
      isForbidden = forbidden;
    },
    fill: (full: boolean) => {
      isFull = full;
    },
    /** Answers nothing before the returned function is called. */
    holdUp: () => {
      let letGo = (): void => {};
      hold = new Promise((resolve) => {
        letGo = resolve;
      });
      return () => letGo();
    },
    open(
      restore: Runtime['restore'] = (kept) => ({ ok: true, hash: kept.world.hash }),
      after = () => new Promise<void>(() => {}),
    ) {
      tabs += 1;
      const restored: number[] = [];
      const updates: (KeeperUpdate | KeeperFind)[] = [];
      const ledger = createLedger();
      const runtime = {
        restore: (kept: KeptRuntime, atMs: number) => {
          restored.push(kept.world.step);
          return restore(kept, atMs);
        },
        recall: (actions: readonly KeptAction[], atMs: number) => recall(ledger, actions, atMs),
        remembered: () => remembered(ledger),
      };
      const keeper = createKeeper({
        store: counting,
        owner: `tab ${tabs}`,
        runtime,
        nowMs: () => nowMs,
        report: (reported) => void updates.push(reported),
        after,
      });
      return { keeper, restored, updates, ledger };
    },
  };
}

describe('a tab that is reloaded', () => {
  it('a reloaded tab resumes the newest world once, before it is the robot, and knows how much is missing', async () => {
    const browser = createBrowser();
    const before = browser.open();
    await before.keeper.follow(order());
    before.keeper.keep(worldOf(1));
    browser.pass(500);
    before.keeper.keep(worldOf(60));
    await settle();
    const after = browser.open();
    const reload = order({ wasThere: true, goneAtMs: 1_900 });
    await after.keeper.follow({ ...reload, isMine: false });
    expect(after.keeper.isKeeping()).toBe(false);
    await after.keeper.follow(reload);
    expect(after.keeper.isKeeping()).toBe(true);
    expect(after.restored).toEqual([60]);
    expect(after.updates).toEqual([
      { kind: 'restored', hash: 'hash 60', missingMs: 400, running: [] },
      { kind: 'keeping', state: 'kept' },
    ]);
  });

  it('a tab that resumes after a crash knows only that at most one second is missing', async () => {
    const browser = createBrowser();
    const before = browser.open();
    await before.keeper.follow(order());
    before.keeper.keep(worldOf(1));
    await settle();
    const after = browser.open();
    await after.keeper.follow(order({ wasThere: true }));
    expect(after.updates[0]).toMatchObject({ kind: 'restored', missingMs: null });
    // The simulation may have outlived its page by a moment.
    const again = browser.open();
    await again.keeper.follow(order({ wasThere: true, goneAtMs: 990 }));
    expect(again.updates[0]).toMatchObject({ kind: 'restored', missingMs: 0 });
  });

  it('a tab knows no more either if another tab resumed the world in the meantime or the clock was set back', async () => {
    const browser = createBrowser();
    const other = browser.open();
    await other.keeper.follow(order());
    browser.pass(3_600_000);
    other.keeper.keep(worldOf(1));
    await settle();
    const back = browser.open();
    await back.keeper.follow(order({ wasThere: true, goneAtMs: 5_000 }));
    expect(back.updates[0]).toMatchObject({ kind: 'restored', missingMs: null });
  });

  it('a tab reports why it does not resume the world, with the seed of that world', async () => {
    const browser = createBrowser();
    const before = browser.open();
    await before.keeper.follow(order());
    before.keeper.keep(worldOf(5, 42));
    await settle();
    const refusing = browser.open(() => ({ ok: false, reason: 'other_version' }));
    await refusing.keeper.follow(order());
    expect(refusing.updates[0]).toEqual({ kind: 'not-restored', reason: 'other_version', seed: 42 });
    const throwing = browser.open(() => {
      throw new TypeError('no world at all');
    });
    await throwing.keeper.follow(order());
    expect(throwing.updates[0]).toMatchObject({ kind: 'not-restored', reason: 'damaged' });
    const fresh = browser.open();
    await fresh.keeper.follow(order({ isFresh: true }));
    expect(fresh.restored).toEqual([]);
    expect(fresh.updates[0]).toEqual({ kind: 'not-restored', reason: 'failed_again', seed: 42 });
  });

  it('a tab does not resume a world whose physics failed', async () => {
    const browser = createBrowser();
    const before = browser.open();
    await before.keeper.follow(order());
    before.keeper.keep(worldOf(5, 42));
    await settle();
    before.keeper.keep(null);
    await settle();
    const after = browser.open();
    await after.keeper.follow(order({ wasThere: true }));
    expect(after.restored).toEqual([]);
    expect(after.updates[0]).toEqual({ kind: 'not-restored', reason: 'broken', seed: 42 });
  });

  it('a tab reports nothing if nothing was kept', async () => {
    const browser = createBrowser();
    const tab = browser.open();
    await tab.keeper.follow(order());
    expect(tab.updates).toEqual([{ kind: 'keeping', state: 'kept' }]);
    const back = browser.open();
    await back.keeper.follow(order({ place: 'elsewhere', wasThere: true }));
    expect(back.updates[0]).toMatchObject({ kind: 'not-restored', reason: 'nothing_kept' });
  });
});

describe('two tabs of one browser', () => {
  it('a tab that takes over resumes the world of the other tab, which stops writing', async () => {
    const browser = createBrowser();
    const [first, second] = [browser.open(), browser.open()];
    await first.keeper.follow(order());
    first.keeper.keep(worldOf(100));
    await settle();
    await second.keeper.follow(order());
    first.keeper.keep(worldOf(160));
    await settle();
    expect(second.restored).toEqual([100]);
    expect(first.keeper.isKeeping()).toBe(false);
    expect(first.updates.at(-1)).toEqual({ kind: 'keeping', state: 'elsewhere' });
    second.keeper.keep(worldOf(200));
    await settle();
    expect(browser.records.get(PLACE)).toMatchObject({ owner: 'tab 2', kept: { world: { step: 200 } } });

    // In the other direction, the tab resumes the world of the other tab, not its own.
    await first.keeper.follow(order());
    expect(first.restored).toEqual([200]);
    expect(first.updates.at(-1)).toEqual({ kind: 'keeping', state: 'kept' });
  });

  it('a tab that lost the robot to another browser resumes its own world', async () => {
    const tab = createBrowser().open();
    await tab.keeper.follow(order());
    tab.keeper.keep(worldOf(10));
    await settle();
    await tab.keeper.follow(order());
    expect(tab.restored).toEqual([]);
  });
});

describe('a session', () => {
  it('a session that ends leaves nothing; if it opens again in another room, its world moves with it', async () => {
    const browser = createBrowser();
    const tab = browser.open();
    await tab.keeper.follow(order());
    tab.keeper.keep(worldOf(10));
    await settle();
    await tab.keeper.follow(order({ place: 'next room/robot' }));
    tab.keeper.keep(worldOf(11));
    await settle();
    expect([...browser.records.keys()]).toEqual(['next room/robot']);
    await tab.keeper.follow(order({ place: null }));
    tab.keeper.keep(worldOf(12));
    await settle();
    expect(browser.records.size).toBe(0);
  });

  it('the world of a session whose page ended before it could clear is cleared by the next page', async () => {
    const browser = createBrowser();
    const tab = browser.open();
    await tab.keeper.follow(order());
    await browser.open().keeper.follow(order({ place: null, forget: [{ place: PLACE, owner: 'tab 1' }] }));
    expect(browser.records.size).toBe(0);
  });

  it('a session of one tab that ends keeps the world that another tab has written in the same place since then', async () => {
    const browser = createBrowser();
    await browser.open().keeper.follow(order());
    const other = browser.open();
    await other.keeper.follow(order());
    other.keeper.keep(worldOf(10));
    other.keeper.note(storedAction('nod'));
    await settle();
    await browser.open().keeper.follow(order({ place: null, forget: [{ place: PLACE, owner: 'tab 1' }] }));
    expect(browser.records.get(PLACE)).toMatchObject({ owner: 'tab 2', kept: { world: { step: 10 } } });
    expect([...(browser.actions.get(PLACE)?.keys() ?? [])]).toEqual(['nod']);
  });
});

describe('a browser that stores nothing', () => {
  it('reports at once a browser that stores nothing, retries now and then, and leaves no old world to resume', async () => {
    const browser = createBrowser();
    const tab = browser.open();
    await tab.keeper.follow(order());
    tab.keeper.keep(worldOf(10));
    await settle();
    browser.fill(true);
    tab.keeper.keep(worldOf(20));
    await settle();
    expect(tab.updates.at(-1)).toEqual({ kind: 'keeping', state: 'failing' });
    expect(browser.records.get(PLACE)).toMatchObject({ kept: null, why: 'storage', seed: 7 });
    expect(tab.keeper.isKeeping()).toBe(false);
    browser.pass(5_000);
    expect(tab.keeper.isKeeping()).toBe(true);
    browser.fill(false);
    tab.keeper.keep(worldOf(30));
    await settle();
    expect(tab.updates.at(-1)).toEqual({ kind: 'keeping', state: 'kept' });
  });

  it('starts the world from scratch, with a notice, if the browser returns nothing', async () => {
    const browser = createBrowser();
    browser.forbid(true);
    const tab = browser.open();
    await tab.keeper.follow(order({ wasThere: true }));
    expect(tab.updates).toEqual([
      { kind: 'not-restored', reason: 'storage', seed: null },
      { kind: 'keeping', state: 'failing' },
    ]);
  });

  it('keeps the world once the browser stores it again, whichever tab kept a world there earlier', async () => {
    const browser = createBrowser();
    const before = browser.open();
    await before.keeper.follow(order());
    before.keeper.keep(worldOf(10));
    await settle();
    browser.forbid(true);
    const tab = browser.open();
    await tab.keeper.follow(order());
    browser.forbid(false);
    tab.keeper.keep(worldOf(2));
    await settle();
    expect(tab.updates.at(-1)).toEqual({ kind: 'keeping', state: 'kept' });
    expect(browser.records.get(PLACE)).toMatchObject({ owner: 'tab 2', kept: { world: { step: 2 } } });
  });

  it('does not wait for ever for a browser that does not answer', async () => {
    const browser = createBrowser();
    browser.holdUp();
    let over = (): void => {};
    const tab = browser.open(undefined, () => new Promise((resolve) => (over = resolve)));
    const followed = tab.keeper.follow(order());
    over();
    await followed;
    expect(tab.updates.at(-1)).toEqual({ kind: 'keeping', state: 'failing' });
  });

  it('sends a slow browser the newest world, not every world', async () => {
    const browser = createBrowser();
    const tab = browser.open();
    await tab.keeper.follow(order());
    const letGo = browser.holdUp();
    for (let step = 1; step <= 50; step += 1) tab.keeper.keep(worldOf(step));
    letGo();
    await settle();
    expect(browser.writes()).toBe(1);
    expect(browser.records.get(PLACE)).toMatchObject({ kept: { world: { step: 50 } } });
  });
});

const { status: _status, result: _result, ...unended } = storedAction('walk');
const walk: AcceptedAction = { ...unended, name: 'go_to', startedAtMs: 900 };

describe('P5 the actions of a world', () => {
  it('the actions of a world return in another tab of the same browser, and unfinished ones are interrupted', async () => {
    const browser = createBrowser();
    const before = browser.open();
    await before.keeper.follow(order());
    before.keeper.keep(worldOf(1));
    before.keeper.note(storedAction('nod', 800));
    before.keeper.note(walk);
    await settle();
    const after = browser.open();
    await after.keeper.follow(order());
    expect(after.updates[0]).toMatchObject({
      kind: 'recalled',
      actions: [
        storedAction('nod', 800),
        { actionId: 'walk', status: 'failed', result: { error: { code: 'RUNTIME_SUSPENDED' } } },
      ],
    });
    expect(after.updates[1]).toMatchObject({ kind: 'restored' });
    await settle();
    // Every later tab reads the same.
    const third = browser.open();
    browser.pass(5_000);
    await third.keeper.follow(order());
    expect(third.updates[0]).toEqual(after.updates[0]);
  });

  it('actions are stored at once, without the world', async () => {
    const browser = createBrowser();
    const { keeper } = browser.open();
    await keeper.follow(order());
    keeper.note(walk);
    await settle();
    expect(browser.writes()).toBe(0);
    expect([...(browser.actions.get(PLACE)?.keys() ?? [])]).toEqual(['walk']);
  });

  it('actions are read only by the tab that is the robot, because another tab may be executing them', async () => {
    const browser = createBrowser();
    const before = browser.open();
    await before.keeper.follow(order());
    before.keeper.note(walk);
    await settle();
    const waiting = browser.open();
    await waiting.keeper.follow(order({ isMine: false }));
    expect(waiting.updates.filter(({ kind }) => kind === 'recalled')).toEqual([]);
  });

  it('actions return even if their world does not, and are deleted with their session', async () => {
    const browser = createBrowser();
    const before = browser.open();
    await before.keeper.follow(order());
    before.keeper.keep(null);
    before.keeper.note(storedAction('nod'));
    await settle();
    const after = browser.open();
    await after.keeper.follow(order());
    expect(after.updates.map(({ kind }) => kind)).toEqual(['recalled', 'not-restored', 'keeping']);
    await after.keeper.follow(order({ place: null }));
    expect(browser.actions.size).toBe(0);
  });

  it('actions move into another room, and are written again after the browser rejected them', async () => {
    const browser = createBrowser();
    const tab = browser.open();
    await tab.keeper.follow(order());
    remember(tab.ledger, storedAction('nod', 1), 1);
    tab.keeper.note(storedAction('nod', 1));
    await settle();
    await tab.keeper.follow(order({ place: 'next room/robot' }));
    await settle();
    expect([...(browser.actions.get('next room/robot')?.keys() ?? [])]).toEqual(['nod']);
    browser.forbid(true);
    remember(tab.ledger, storedAction('shake', 2), 2);
    tab.keeper.note(storedAction('shake', 2));
    await settle();
    browser.forbid(false);
    browser.pass(5_000);
    tab.keeper.keep(worldOf(1));
    await settle();
    expect([...(browser.actions.get('next room/robot')?.keys() ?? [])]).toEqual(['nod', 'shake']);
  });

  it('actions that the runtime has forgotten are deleted in the end', async () => {
    const browser = createBrowser();
    const { keeper } = browser.open();
    await keeper.follow(order());
    for (let index = 0; index < 600; index += 1) keeper.note(storedAction(`old-${index}`));
    await settle();
    keeper.note(storedAction('new'));
    await settle();
    expect(browser.actions.get(PLACE)?.size ?? 0).toBe(0);
  });

  it('an action whose record cannot be read is left out', async () => {
    const browser = createBrowser();
    browser.actions.set(
      PLACE,
      new Map([
        ['x', { actionId: 'x' } as KeptAction],
        ['nod', storedAction('nod')],
      ]),
    );
    const { keeper, updates } = browser.open();
    await keeper.follow(order());
    expect(updates[0]).toEqual({ kind: 'recalled', actions: [storedAction('nod')] });
  });
});
