/** Where the page keeps its world: the place, the seed, and the notice for a person. */
import { describe, expect, it } from 'vitest';
import { endOf } from '../../src/room/ends.ts';
import { interruptedAction } from '../../src/runtime/interrupted.ts';
import { itemsOf } from '../../src/viewer/engine/browser-storage.ts';
import { createWorldMarkStore, localPlaceOf, type WorldMark } from '../../src/viewer/engine/tab-storage.ts';
import { createFixture, KEY, keyFor, NOW_MS, settle, storageOf, storedAction } from './engine-fixture.ts';
import { RUNTIME_STATE } from './fake-runtime.ts';

const PLACE = 'ws://127.0.0.1:7880 room-r1/simplesim:r1';
const FACTS = { nowMs: NOW_MS, expiresAtMs: NOW_MS + 1, profile: 'simulator' } as const;
const MARK: WorldMark = { place: PLACE, seed: 42, goneAtMs: NOW_MS - 3_000, failedAtMs: null };

async function live(mark: WorldMark | null = null, key: string | null = KEY) {
  const fixture = createFixture(key, false, true, null, true, mark);
  await settle();
  if (key !== null) await fixture.goLive();
  return fixture;
}

describe('a tab', () => {
  it('a new tab looks for nothing before it asks to be the robot, and claims nothing before it is the robot', async () => {
    const { orders, seeds, mark, state } = await live();
    expect(seeds).toEqual([1]);
    expect(orders[0]).toMatchObject({ place: null, isMine: false });
    expect(orders[1]).toMatchObject({ place: PLACE, isMine: false, wasThere: false });
    expect(orders[2]).toMatchObject({ place: PLACE, isMine: true, wasThere: false, goneAtMs: null });
    expect(mark()).toEqual({ place: PLACE, seed: 1, goneAtMs: null, failedAtMs: null });
    expect(state()).toMatchObject({ wentOn: null, keeping: 'no' });
  });

  it('a reloaded tab starts with the kept world and its seed, and knows when it went away', async () => {
    const { orders, seeds } = await live(MARK);
    expect(seeds).toEqual([42]);
    expect(orders[0]).toMatchObject({ place: PLACE, isMine: false, wasThere: true, goneAtMs: NOW_MS - 3_000 });
    expect(orders[1]).toMatchObject({ place: PLACE, isMine: true });
  });

  it('a tab stores the seed of its world and the time at which it goes away', async () => {
    const { emit, mark, hidePage, pass } = await live();
    const { robot } = RUNTIME_STATE;
    const extra = { ...robot.extra, sim: { ...robot.extra.sim, seed: 99 } };
    const runtime = { ...RUNTIME_STATE, robot: { ...robot, extra } };
    emit({ kind: 'state', runtime, scene: null, timing: { stepsPerSecond: 120, realTimeFactor: 1 } });
    expect(mark()).toEqual({ place: PLACE, seed: 99, goneAtMs: null, failedAtMs: null });
    pass(500);
    hidePage();
    expect(mark()).toEqual({ place: PLACE, seed: 99, goneAtMs: NOW_MS + 500, failedAtMs: null });
    // The browser had only suspended the page.
    emit({ kind: 'state', runtime, scene: null, timing: { stepsPerSecond: 120, realTimeFactor: 1 } });
    expect(mark()).toEqual({ place: PLACE, seed: 99, goneAtMs: null, failedAtMs: null });
  });

  it('a tab reports what became of the world only when it is the robot', async () => {
    const fixture = createFixture(KEY, true, true, null, true, MARK);
    await settle();
    fixture.emit({ kind: 'restored', hash: 'h', missingMs: 400, running: [] });
    expect(fixture.state()).toMatchObject({ connection: { kind: 'ended' }, wentOn: null });
    fixture.engine.retry();
    await settle();
    expect(fixture.state().wentOn).toBeNull();
    await fixture.goLive();
    expect(fixture.state().wentOn).toEqual({ kind: 'restored', atMs: NOW_MS, missingMs: 400, interrupted: [] });
  });

  it('a tab names the interrupted actions once, from its own list or else from the kept world', async () => {
    const running = [{ actionId: 'then', kind: 'tool' as const, name: 'go_to', input: {} }];
    const cut = interruptedAction({ ...storedAction('cut'), startedAtMs: NOW_MS - 500 }, NOW_MS);
    const before = interruptedAction({ ...storedAction('before'), startedAtMs: NOW_MS - 9_000 }, NOW_MS - 8_000);
    const fixture = createFixture(KEY, false, true, null, true, MARK);
    await settle();
    await fixture.goLive();
    fixture.emit({ kind: 'recalled', actions: [before, cut, storedAction('done')] });
    const interrupted = () => fixture.state().wentOn?.interrupted.map(({ actionId }) => actionId);
    const restored = { kind: 'restored', hash: 'h', missingMs: 400 } as const;
    fixture.emit({ ...restored, running });
    expect(interrupted()).toEqual(['cut']);
    // The second time only the kept world knows them; it does not know what has ended since.
    fixture.emit({ ...restored, running: [...running, { ...running[0], actionId: 'done' }] as typeof running });
    expect(interrupted()).toEqual(['then']);
    fixture.emit({ kind: 'not-restored', reason: 'damaged', seed: null });
    expect(interrupted()).toEqual([]);
  });

  it('a tab whose world cannot be resumed starts with the seed of that world', async () => {
    const { emit, seeds, state, simulations } = await live();
    emit({ kind: 'not-restored', reason: 'other_version', seed: 7 });
    expect(seeds).toEqual([1, 7]);
    emit({ kind: 'not-restored', reason: 'other_version', seed: 7 });
    expect(simulations()).toBe(2);
    expect(state().wentOn).toEqual({ kind: 'begun-anew', reason: 'other_version', atMs: NOW_MS, interrupted: [] });
  });

  it('a tab knows whether its world is kept', async () => {
    const { emit, state } = await live();
    for (const keeping of ['kept', 'failing', 'elsewhere'] as const) {
      emit({ kind: 'keeping', state: keeping });
      expect(state().keeping).toBe(keeping);
    }
  });
});

describe('the end of a visit', () => {
  it.each(['session_deleted', 'left'] as const)('the end %s deletes the kept world', async (reason) => {
    const { setConnection, orders, mark } = await live();
    setConnection({ kind: 'ended', ...endOf(reason, FACTS) });
    expect(orders.at(-1)).toMatchObject({ place: null });
    expect(mark()).toBeNull();
  });

  it.each(['taken_over', 'removed', 'unreachable', 'key_expired'] as const)(
    'the end %s leaves the world kept',
    async (reason) => {
      const { setConnection, orders, mark } = await live();
      setConnection({ kind: 'ended', ...endOf(reason, FACTS) });
      expect(orders.at(-1)).toMatchObject({ place: PLACE });
      expect(mark()).not.toBeNull();
    },
  );

  it('a different key starts a different world, and the first world stays kept for a later return', async () => {
    const { engine, orders, seeds, goLive } = await live(MARK);
    engine.connect(keyFor('r2'));
    await settle();
    await goLive();
    expect(seeds).toEqual([42, 1]);
    expect(orders.at(-3)).toMatchObject({ place: null, forget: [] });
    expect(orders.at(-1)).toMatchObject({ place: 'ws://127.0.0.1:7880 room-r2/simplesim:r2', isMine: true });
  });
});

describe('a robot of this tab alone', () => {
  it('a local robot is kept as that of this tab, and forgotten when a person leaves it', async () => {
    const { engine, orders, owners } = await live(null, null);
    engine.tryHere();
    expect(orders.at(-1)).toMatchObject({ place: 'this tab/1', isMine: true });
    const [own] = owners;
    engine.disconnect();
    expect(orders.at(-1)).toMatchObject({ place: null, forget: [{ place: 'this tab/1', owner: own }] });
  });
});

describe('a tab that has left a room', () => {
  it('a tab that left a room asks the next world to forget only the record of the world that it left', async () => {
    const { engine, orders, owners } = await live();
    engine.disconnect();
    await settle();
    engine.disconnect();
    engine.tryHere();
    const asked = orders.flatMap(({ forget }) => forget);
    expect(asked).toEqual([{ place: PLACE, owner: owners[0] }]);
    expect(new Set(owners).size).toBe(owners.length);
  });
});

describe('a browser that blocks storage', () => {
  it('a blocked storage does not stop a local robot, and the page reports that a reload loses its world', async () => {
    const { engine, deps, state, orders } = await live(null, null);
    deps.localPlace = () => null;
    engine.tryHere();
    expect(state()).toMatchObject({ local: true, keeping: 'failing' });
    expect(orders.at(-1)).toMatchObject({ place: null });
  });
});

describe('a tab that a person duplicates', () => {
  it('a duplicated tab that resumes its world keeps it in another place, and a robot of a room in none', async () => {
    const { engine, emit, orders, mark } = await live(null, null);
    engine.tryHere();
    emit({ kind: 'keeping', state: 'elsewhere' });
    expect(orders.at(-1)).toMatchObject({ place: 'this tab/2', isMine: true });
    expect(mark()).toMatchObject({ place: 'this tab/2' });
    const inRoom = await live();
    const before = inRoom.orders.length;
    inRoom.emit({ kind: 'keeping', state: 'elsewhere' });
    expect(inRoom.orders).toHaveLength(before);
  });
});

describe('a simulation that fails', () => {
  it('a simulation that fails resumes the kept world, and starts from scratch if it fails again soon', async () => {
    const { emit, pass, orders } = await live();
    pass(20_000);
    emit({ kind: 'failed', message: 'It stopped.' });
    expect(orders.at(-1)).toMatchObject({ place: PLACE, isMine: true, isFresh: false, wasThere: true });
    emit({ kind: 'ready' });
    emit({ kind: 'keeping', state: 'kept' });
    pass(20_000);
    emit({ kind: 'failed', message: 'It stopped.' });
    expect(orders.at(-1)).toMatchObject({ place: PLACE, isFresh: true });
  });

  it('a simulation also starts from scratch if it fails again at once; if that fails at once too, it stays stopped', async () => {
    const { emit, pass, orders, simulations } = await live();
    const fail = (afterMs: number): void => {
      emit({ kind: 'ready' });
      emit({ kind: 'keeping', state: 'kept' });
      pass(afterMs);
      emit({ kind: 'failed', message: 'It stopped.' });
    };
    fail(20_000);
    expect(simulations()).toBe(2);
    fail(3_000);
    expect(simulations()).toBe(3);
    expect(orders.at(-1)).toMatchObject({ place: PLACE, isFresh: true });
    fail(3_000);
    expect(simulations()).toBe(3);
  });

  it('a page that fails again soon after a reload starts its world from scratch', async () => {
    const before = await live(MARK);
    before.pass(3_000);
    before.emit({ kind: 'failed', message: 'It stopped.' });
    // The page asks for this.
    expect(before.simulations()).toBe(1);
    before.hidePage();
    expect(before.mark()).toMatchObject({ place: PLACE, failedAtMs: NOW_MS + 3_000 });
    const after = await live({ ...MARK, failedAtMs: NOW_MS - 5_000 });
    after.pass(3_000);
    after.emit({ kind: 'failed', message: 'It stopped.' });
    expect(after.simulations()).toBe(2);
    expect(after.orders.at(-1)).toMatchObject({ place: PLACE, isFresh: true });
  });
});

describe('the notes of a tab', () => {
  it('the notes of a tab are read back; foreign values are ignored; a forbidden storage stores nothing', () => {
    const items = new Map<string, string>();
    const storage = itemsOf(() => storageOf(items));
    const marks = createWorldMarkStore(storage);
    expect(marks.read()).toBeNull();
    marks.write(MARK);
    expect(marks.read()).toEqual(MARK);
    marks.write(null);
    expect(items.size).toBe(0);
    for (const text of ['{', '"x"', '{"place":1,"seed":2}', '{"place":"a"}']) {
      items.set('simplesim.world', text);
      expect(marks.read()).toBeNull();
    }
    expect(localPlaceOf(storage, () => 'new', false)).toBe('this tab/new');
    expect(localPlaceOf(storage, () => 'newer', false)).toBe('this tab/new');
    expect(localPlaceOf(storage, () => 'newest', true)).toBe('this tab/newest');
    expect(items.get('simplesim.tab')).toBe('newest');
    const forbidden = itemsOf(() => {
      throw new Error('forbidden');
    });
    expect(localPlaceOf(forbidden, () => 'new', false)).toBeNull();
    const none = createWorldMarkStore(forbidden);
    none.write(MARK);
    expect(none.read()).toBeNull();
  });
});
