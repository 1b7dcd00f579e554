/** The world of a robot without a page is kept across a restart of its process. */
import { appendFileSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeptRuntime } from '../../src/runtime/runtime.ts';
import type { LogEntry } from '../../src/worker/log.ts';
import { createBody } from '../../src/worker/robot/body.ts';
import { openWorldFile, sweepWorlds } from '../../src/worker/robot/world-file.ts';
import { createWorldKeeper } from '../../src/worker/robot/world-keeper.ts';
import { checkRpcReply } from '../client-models/check.ts';
import { waitUntil } from '../launch/helpers/processes.ts';
import { storedAction } from '../viewer/engine-fixture.ts';

const PLACE = { sfuUrl: 'ws://nowhere', token: '', room: 'room', robotId: 'robot' };
const REACH = { r_arm: [-0.6, -0.2, 0, 0.9, 0], l_arm: [-0.6, 0.2, 0, 0.9, 0] };
const REMEMBERS_NOTHING = { recall: () => [], remembered: () => [] };
const DAY_MS = 24 * 3_600_000;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simplesim-worlds-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const worldsDir = (): string => join(folder, 'worlds');

/** Creates the body of a robot as its process does. */
async function startBody(profile: 'simulator' | 'worker' = 'worker', place = PLACE) {
  const log: LogEntry[] = [];
  let calls = 0;
  const body = await new Promise<ReturnType<typeof createBody>>((resolve) => {
    const started = createBody(
      { place, profile, seed: 5, productVersion: '1', signedOnly: false, worldsDir: worldsDir() },
      (entry) => {
        log.push(entry);
        if (entry.event === 'robot_ready') resolve(started);
      },
      { report: () => undefined, sendWorld: () => undefined, sendJpeg: async () => undefined, nameOf: () => null },
    );
  });
  const ask = async (method: string, payload: object) => {
    calls += 1;
    const call = { requestId: `${calls}`, method, payload: JSON.stringify(payload), callerIdentity: 'client' };
    return checkRpcReply(method, await body.handle(call));
  };
  const state = () => ask('runtime.state', {});
  const until = (isSo: () => boolean | Promise<boolean>) => waitUntil(isSo, 'the robot to be so', 60_000);
  await until(async () => (await state()).timestamp.step > 0);
  const end = async () => {
    body.dispose();
    await body.over;
  };
  return { body, log, ask, state, until, end, events: () => log.map(({ event }) => event) };
}

describe('a robot whose process starts again', () => {
  it('a restarted robot resumes where it was, at most a moment earlier, and comes to a stop', async () => {
    const first = await startBody();
    expect((await first.ask('runtime.tools_call', { name: 'set_velocity', input: { vx: 0.6 } })).status).toBe('done');
    await first.until(
      async () => (await first.state()).robot.pose.position[0] !== undefined && (await first.state()).timestamp.step > 240,
    );
    await first.ask('runtime.tools_call', { name: 'set_upper_body', input: REACH });
    const before = await first.state();
    await first.until(async () => (await readdir(worldsDir()).catch(() => [])).some((name) => name.endsWith('.world')));
    const from = (await first.state()).timestamp.step;
    await first.until(async () => (await first.state()).timestamp.step > from + 120);
    // As after a kill: nothing more is written.
    await first.end();

    const second = await startBody();
    expect(second.log).toContainEqual(expect.objectContaining({ event: 'world_restored', level: 'info', seed: 5 }));
    const after = await second.state();
    expect(after.timestamp.step).toBeGreaterThan(from);
    expect(after.robot.extra.sim.seed).toBe(before.robot.extra.sim.seed);
    expect(after.robot.extra.control.velocity_holds).toBe(false);
    await second.until(async () => (await second.state()).robot.status !== 'moving');
    const { pose } = (await second.state()).robot;
    expect(
      Math.hypot(pose.position[0] - before.robot.pose.position[0], pose.position[1] - before.robot.pose.position[1]),
    ).toBeLessThan(2);
    await second.end();
  });

  it('a robot keeps its current world when its process is asked to end, and nothing of a session that is over', async () => {
    const first = await startBody();
    await first.body.keep();
    const { timestamp } = await first.state();
    const [name = ''] = await readdir(worldsDir());
    expect((await stat(join(worldsDir(), name))).mode & 0o777).toBe(0o600);
    expect((await stat(worldsDir())).mode & 0o777).toBe(0o700);
    await first.end();
    const second = await startBody();
    expect((await second.state()).timestamp.step).toBeGreaterThanOrEqual(timestamp.step - 60);
    await second.body.forget();
    await second.end();
    expect(await readdir(worldsDir())).toEqual([]);
  });

  it('a robot that restarts in another room gets another world', async () => {
    const first = await startBody();
    await first.body.keep();
    await first.end();
    const other = await startBody('worker', { ...PLACE, room: 'another' });
    expect(other.events()).not.toContain('world_restored');
    await other.end();
  });

  it.each([
    ['half of one', (whole: Buffer) => whole.subarray(0, 9_000)],
    ['words', () => Buffer.from('not a world')],
    ['nothing', () => Buffer.alloc(0)],
    ['far too much', () => Buffer.alloc(5_000_000)],
  ])('a world file that contains %s is reported and set aside, and the robot starts', async (_what, spoil) => {
    const first = await startBody();
    await first.body.keep();
    await first.end();
    const { path } = openWorldFile(worldsDir(), PLACE);
    await writeFile(path, spoil(await readFile(path)));
    const second = await startBody();
    expect(second.log).toContainEqual(
      expect.objectContaining({ event: 'world_not_restored', why: 'unreadable', file: `${path}.unreadable` }),
    );
    await second.body.keep();
    await second.end();
    expect((await readdir(worldsDir())).map((name) => name.replace(/^\w+/, '')).sort()).toEqual(['.world', '.world.unreadable']);
  });

  it('a folder that cannot be written is reported once, and the robot starts', async () => {
    await writeFile(worldsDir(), 'a file');
    const { log, end, body } = await startBody();
    await body.keep();
    await body.keep();
    await end();
    expect(log.filter(({ event }) => event === 'world_not_kept')).toHaveLength(1);
    expect(log).toContainEqual(expect.objectContaining({ event: 'world_not_restored', why: 'not_read' }));
    await chmod(worldsDir(), 0o600);
  });
});

describe('P5 the actions of a robot whose process is killed', () => {
  const drive = { name: 'set_head', input: { yaw: 0.3 }, options: { action_id: 'nod' } };
  const turn = { name: 'set_velocity', input: { wz: 0.2, duration_s: 60 }, options: { action_id: 'turn' } };

  it('are known to the next process: the same id gets the same answer, and an unfinished action is reported as interrupted', async () => {
    const first = await startBody('simulator');
    const nodded = await first.ask('runtime.tools_call', drive);
    expect(nodded.status).toBe('done');
    const turning = first.ask('runtime.tools_call', turn);
    await first.until(async () => (await first.state()).runtime.active_action?.action_id === 'turn');
    // As after a kill: nothing more is written.
    await first.end();
    void turning.catch(() => undefined);

    for (let process = 2; process < 4; process += 1) {
      const next = await startBody('simulator');
      expect(await next.ask('runtime.tools_call', drive)).toEqual(nodded);
      const again = await next.ask('runtime.tools_call', turn);
      expect(again.error).toMatchObject({ code: 'RUNTIME_SUSPENDED', details: { interrupted_by: 'reload' } });
      expect((await next.state()).runtime.active_action).toBeUndefined();
      await next.end();
    }
  });

  it('are written before they are answered, and unreadable lines are skipped', () => {
    const { actions } = openWorldFile(worldsDir(), PLACE);
    actions.append(storedAction('a'));
    appendFileSync(join(worldsDir(), readdirSync(worldsDir())[0] ?? ''), '\n{"actionId":"half');
    actions.append(storedAction('b'));
    expect(actions.read().map(({ actionId }) => actionId)).toEqual(['a', 'b']);
    actions.replace([storedAction('b')]);
    expect(actions.read()).toEqual([storedAction('b')]);
    actions.replace([]);
    expect(readdirSync(worldsDir())).toEqual([]);
  });

  it('are eventually removed from the file once the runtime has forgotten them', async () => {
    const file = openWorldFile(worldsDir(), PLACE);
    const keeper = createWorldKeeper(file, Date.now, () => undefined);
    await keeper.goOn({ ...REMEMBERS_NOTHING, remembered: () => [storedAction('new')], restore: () => ({ ok: true, hash: '' }) });
    for (let index = 0; index <= 1_024; index += 1) keeper.note(storedAction(`old-${index}`));
    expect(file.actions.read()).toEqual([storedAction('new')]);
  });

  it('are kept when the physics of the world fails', async () => {
    const file = openWorldFile(worldsDir(), PLACE);
    file.actions.append(storedAction('a'));
    const keeper = createWorldKeeper(file, Date.now, () => undefined);
    keeper.keep(null);
    await keeper.written();
    expect(file.actions.read()).toEqual([storedAction('a')]);
  });

  it('are forgotten by a robot that begins from scratch', async () => {
    const file = openWorldFile(worldsDir(), PLACE);
    file.actions.append(storedAction('a'));
    await createWorldKeeper(file, Date.now, () => undefined).goOn(
      { ...REMEMBERS_NOTHING, restore: () => ({ ok: true, hash: '' }) },
      true,
    );
    expect(file.actions.read()).toEqual([]);
  });
});

describe('a disk that takes no more', () => {
  it('a full disk leaves no stale world: after a restart the robot begins from scratch and reports it', async () => {
    const file = openWorldFile(worldsDir(), PLACE);
    const events: string[] = [];
    let isFull = false;
    const write: typeof file.write = async (world) => {
      await file.write(world);
      if (!isFull) return;
      throw new Error('ENOSPC');
    };
    const keeper = createWorldKeeper({ ...file, write }, Date.now, ({ event }) => void events.push(event));
    keeper.keep({ world: { step: 1 } } as KeptRuntime);
    await keeper.written();
    isFull = true;
    keeper.keep({ world: { step: 2 } } as KeptRuntime);
    await keeper.written();
    expect(events).toEqual(['world_not_kept']);
    expect(await readdir(worldsDir())).toEqual([]);
    isFull = false;
    keeper.keep({ world: { step: 3 } } as KeptRuntime);
    await keeper.written();
    expect(await file.read()).toMatchObject({ kept: { world: { step: 3 } } });
  });
});

describe('two robots on one world', () => {
  it('a displaced robot’s last writes do not damage the world of the robot that replaced it', async () => {
    const events: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      const place = { ...PLACE, room: `room-${round}` };
      const keeperOf = () =>
        createWorldKeeper(openWorldFile(worldsDir(), place), Date.now, ({ event }) => void events.push(event));
      const [before, after] = [keeperOf(), keeperOf()];
      const kept = { world: { step: 1, seed: 5 }, story: 'x'.repeat(20_000) } as unknown as KeptRuntime;
      before.keep(kept);
      await before.written();
      const going = after.goOn({ ...REMEMBERS_NOTHING, restore: () => ({ ok: true }) as never });
      before.keep(kept);
      await Promise.all([going, before.written()]);
      expect(await openWorldFile(worldsDir(), place).read()).toMatchObject({ kept });
    }
    expect([...new Set(events)]).toEqual(['world_restored']);
    expect((await readdir(worldsDir())).filter((name) => name.includes('.half'))).toEqual([]);
  });
});

describe('a world that ends its process', () => {
  it('a process that was asked to end does not count as crashed, however often the robot is restarted', async () => {
    const kept = { world: { step: 1, seed: 5 } } as KeptRuntime;
    const file = openWorldFile(worldsDir(), PLACE);
    await file.write({ savedAtMs: 0, tries: 0, kept });
    const events: string[] = [];
    for (let start = 0; start < 5; start += 1) {
      const keeper = createWorldKeeper(
        file,
        () => 0,
        ({ event }) => void events.push(event),
      );
      await keeper.goOn({ ...REMEMBERS_NOTHING, restore: () => ({ ok: true, hash: '' }) });
      keeper.endsWell();
      keeper.keep(kept);
      await keeper.written();
    }
    expect(events).toEqual(Array(5).fill('world_restored'));
  });

  it('a world that keeps ending its process is eventually abandoned', async () => {
    const kept = { world: { step: 1, seed: 5 } } as KeptRuntime;
    const file = openWorldFile(worldsDir(), PLACE);
    await file.write({ savedAtMs: 0, tries: 0, kept });
    const events: string[] = [];
    let restored = 0;
    const restore = () => {
      restored += 1;
      return { ok: true, hash: '' } as const;
    };
    for (let start = 0; start < 5; start += 1)
      await createWorldKeeper(
        file,
        () => 0,
        ({ event }) => void events.push(event),
      ).goOn({ ...REMEMBERS_NOTHING, restore });
    expect(restored).toBe(3);
    expect(events).toEqual(['world_restored', 'world_restored', 'world_restored', 'world_not_restored', 'world_not_restored']);
  });

  it('a crash does not count after the process has run long enough with the world', async () => {
    const kept = { world: { step: 1, seed: 5 } } as KeptRuntime;
    const file = openWorldFile(worldsDir(), PLACE);
    await file.write({ savedAtMs: 0, tries: 2, kept });
    let nowMs = 0;
    const keeper = createWorldKeeper(
      file,
      () => nowMs,
      () => undefined,
    );
    await keeper.goOn({ ...REMEMBERS_NOTHING, restore: () => ({ ok: true, hash: '' }) });
    expect(await file.read()).toMatchObject({ tries: 3 });
    nowMs = 61_000;
    keeper.keep(kept);
    await keeper.written();
    expect(await file.read()).toMatchObject({ tries: 0, savedAtMs: 61_000 });
  });

  it('a world with broken physics is forgotten', async () => {
    const file = openWorldFile(worldsDir(), PLACE);
    const keeper = createWorldKeeper(file, Date.now, () => undefined);
    keeper.keep({ world: {} } as KeptRuntime);
    await keeper.written();
    keeper.keep(null);
    await keeper.written();
    expect(await file.read()).toBeNull();
  });
});

it('deletes worlds that are a week old, and leaves other files alone', async () => {
  const [old, fresh] = [openWorldFile(folder, PLACE), openWorldFile(folder, { ...PLACE, room: 'fresh' })];
  const kept = {} as KeptRuntime;
  for (const file of [old, fresh]) await file.write({ savedAtMs: 0, tries: 0, kept });
  await writeFile(join(folder, 'letter.txt'), '');
  const longAgo = new Date(Date.now() - 8 * DAY_MS);
  await utimes(old.path, longAgo, longAgo);
  await utimes(join(folder, 'letter.txt'), longAgo, longAgo);
  await sweepWorlds(folder, Date.now());
  expect((await readdir(folder)).sort()).toEqual([fresh.path.slice(folder.length + 1), 'letter.txt'].sort());
  await sweepWorlds(join(folder, 'none'), Date.now());
});
