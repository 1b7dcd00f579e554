/** The emergency stop while the database cannot write, does not answer, or is slow to. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emergencyStops, robots } from '../../src/control-service/db/schema.ts';
import { pressRobot } from '../../src/control-service/operations/emergency-stop.ts';
import { LatchedStops } from '../../src/control-service/operations/latched-stops.ts';
import { pressByLink } from '../../src/control-service/operations/press-by-link.ts';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { signParticipantToken } from '../../src/control-service/tokens.ts';
import { emergencyStopResultSchema, pressOf } from '../../src/protocol/wire/emergency-stop.ts';
import { type EndFault, refuseWrites, silence } from './helpers/database-faults.ts';
import { DATABASES } from './helpers/databases.ts';
import { SFU_KEY } from './helpers/fake-sfu.ts';
import { startTestService, type TestService } from './helpers/service.ts';

/** The time limit for an answer without the database, milliseconds: the wait for a write, plus the delay of the machine. */
const HONEST_WITHIN_MS = 6_000;

describe.each(DATABASES)('a press while $database has a fault', ({ database }) => {
  let service: TestService;
  let id: string;
  let room: string;
  /** The ids of the presses that the runtime received. */
  let pressIds: string[];
  let released: string[];
  let isThere: boolean;
  let endFault: EndFault | null = null;

  beforeAll(async () => {
    service = await startTestService({ database });
  }, 120_000);
  beforeEach(async () => {
    await service.reset();
    const { memory } = service.deps;
    memory.unstored.clear();
    memory.rights.clear();
    id = (await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } })).body.result.id;
    await service.send('POST', `/v1/robots/${id}/session`, { body: { worker_names: [] } });
    room = [...service.sfu.rooms.keys()].at(-1) ?? '';
    [pressIds, released, isThere] = [[], [], true];
    service.sfu.listIdentities = async (asked) => (isThere && asked === room ? [`simplesim:${id}`] : []);
    service.sfu.answer = ({ method, payload }) => {
      const latched = pressIds.length > 0 ? { by: 'x', since_ms: 1, reason: null } : null;
      if (method === 'runtime.state')
        return JSON.stringify({
          robot: { extra: { emergency_stop: latched, emergency_release: { at_ms: 1, press_ids: released } } },
        });
      if (method !== 'runtime.emergency_stop') return '{}';
      pressIds.push((JSON.parse(payload) as { press_id: string }).press_id);
      const result = { emergency_stop: latched, stands: true, after_ms: 300, held_entity_ids: [] };
      return JSON.stringify({ status: 'done', result, meta: {} });
    };
  });
  afterEach(async () => {
    await endFault?.();
    endFault = null;
  });
  afterAll(() => service.close());

  const overHttp = (key?: string) =>
    service.send('POST', `/rcs/v1/robots/${id}/emergency-stop`, { body: { reason: 'smoke' }, ...(key ? { key } : {}) });
  const byLink = async () => {
    const issuedAtS = Math.floor(service.clock.nowMs() / 1000);
    const link = { room, identity: 'operator-1', name: 'Ada', issuedAtS, ttlS: 600, access: 'drive' } as const;
    return pressByLink(service.deps, SFU_KEY, { token: await signParticipantToken(SFU_KEY, link), reason: 'smoke' });
  };
  const inRoom = () => pressOf(service.sfu.rooms.get(room) ?? '');
  const stored = () => service.deps.db.select().from(emergencyStops);
  const fullDisk = async () => {
    endFault = await refuseWrites(service.deps.db, 'emergency_stops');
  };
  const silent = async () => {
    endFault = await silence(service.deps.db, database);
  };
  const recover = async () => {
    await endFault?.();
    endFault = null;
  };
  const took = async <T>(run: () => Promise<T>): Promise<{ answer: T; tookMs: number }> => {
    const startMs = performance.now();
    return { answer: await run(), tookMs: performance.now() - startMs };
  };
  const PRESSES: [string, () => Promise<unknown>][] = [
    ['by an API key', async () => (await overHttp()).body],
    ['by a link', byLink],
  ];

  describe.each(PRESSES)('%s', (_how, press) => {
    it('a press is stored if the database has no fault, and its answer reports this', async () => {
      expect(await press()).toMatchObject({ stands: true, stored: true });
      expect(await stored()).toMatchObject([{ robotId: id, pressId: pressIds[0] }]);
    });

    it('a press on a full disk stops the robot and marks its room, and its answer reports that it is not stored yet', async () => {
      await fullDisk();
      const { answer, tookMs } = await took(press);
      expect(answer).toMatchObject({ robot_id: id, stands: true, stored: false, emergency_stop: { reason: 'smoke' } });
      expect(emergencyStopResultSchema.parse(answer)).toEqual(answer);
      expect(tookMs).toBeLessThan(HONEST_WITHIN_MS);
      expect(pressIds).toHaveLength(1);
      expect(inRoom()).toMatchObject({ press_id: pressIds[0], reason: 'smoke' });
      expect(await stored()).toEqual([]);
    });

    it('a press stops the robot within seconds if the database is silent', async () => {
      await service.send('GET', `/v1/robots/${id}`);
      await silent();
      const { answer, tookMs } = await took(press);
      expect(answer).toMatchObject({ robot_id: id, stands: true, stored: false });
      expect(tookMs).toBeLessThan(HONEST_WITHIN_MS);
      expect(inRoom()).toMatchObject({ press_id: pressIds[0] });
    });

    it('a press is stored under its own id once the database can write again', async () => {
      await fullDisk();
      await press();
      await recover();
      const stops = new LatchedStops(service.deps);
      await stops.tickUnstored();
      await expect.poll(stored).toMatchObject([{ robotId: id, pressId: pressIds[0], reason: 'smoke' }]);
      await stops.tick();
      expect(pressIds).toHaveLength(1);
      expect(inRoom()).toMatchObject({ press_id: pressIds[0] });
    });

    it('a press is stored once a silent database answers', async () => {
      await service.send('GET', `/v1/robots/${id}`);
      await silent();
      await press();
      await recover();
      await new LatchedStops(service.deps).tickUnstored();
      await expect.poll(stored, { timeout: 30_000 }).toMatchObject([{ robotId: id, pressId: pressIds[0] }]);
    });

    it('an unstored press is included in the metadata that any later request writes', async () => {
      await fullDisk();
      await press();
      const joined = await service.send('POST', `/rcs/v1/robots/${id}/session`, { body: { worker_names: [] } });
      expect(joined.body.room_metadata.emergency_stop).toMatchObject({ press_id: pressIds[0] });
      expect(inRoom()).toMatchObject({ press_id: pressIds[0] });
    });

    it('an unstored press is delivered to a runtime that returns without it', async () => {
      await fullDisk();
      await press();
      pressIds.length = 0;
      await new LatchedStops(service.deps).tickUnstored();
      expect(pressIds).toHaveLength(1);
    });

    it('an unstored press that a person has released at the robot is not stored later', async () => {
      await fullDisk();
      await press();
      [released, pressIds] = [pressIds, []];
      const stops = new LatchedStops(service.deps);
      await stops.tickUnstored();
      await recover();
      await stops.tickUnstored();
      await stops.tick();
      expect(await stored()).toEqual([]);
      expect(inRoom()).toBeNull();
      expect(pressIds).toEqual([]);
    });
  });

  it('a press that a person releases while it is being written leaves no row behind', async () => {
    await service.send('GET', `/v1/robots/${id}`);
    await silent();
    await overHttp();
    const [entry] = service.deps.memory.unstored.values();
    [released, pressIds] = [pressIds, []];
    await new LatchedStops(service.deps).tickUnstored();
    expect(service.deps.memory.unstored.size).toBe(0);
    await recover();
    await entry?.storing;
    expect(await stored()).toEqual([]);
    await new LatchedStops(service.deps).tick();
    expect(inRoom()).toBeNull();
  });

  it('a second press reaches the robot while the first one still waits for the database', async () => {
    await service.send('GET', `/v1/robots/${id}`);
    await silent();
    let isAnswered = false;
    const first = overHttp().finally(() => {
      isAnswered = true;
    });
    await expect.poll(() => pressIds.length).toBe(1);
    const second = overHttp();
    await expect.poll(() => pressIds.length, { interval: 5 }).toBe(2);
    expect(isAnswered).toBe(false);
    await Promise.all([first, second]);
  });

  it('a press that is stored late does not replace a newer one', async () => {
    await fullDisk();
    await overHttp();
    await recover();
    const [entry] = service.deps.memory.unstored.values();
    const later = { robotId: id, pressId: 'ffffffff-ffff-7fff-8fff-ffffffffffff', pressedBy: 'x', reason: null };
    await service.deps.db.insert(emergencyStops).values({ ...later, since: new Date() });
    expect(entry?.stop.pressId).toBe(pressIds[0]);
    await new LatchedStops(service.deps).tickUnstored();
    await expect.poll(() => service.deps.memory.unstored.size).toBe(0);
    expect(await stored()).toMatchObject([{ pressId: later.pressId }]);
  });

  it('the first attempt to store a press keeps one that another instance stored later, under an id that no release has named', async () => {
    const [, other] = [await overHttp(), 'ffffffff-fff0-7fff-8fff-ffffffffffff'];
    await service.deps.db.update(emergencyStops).set({ pressId: other });
    // Its id is lower: it was pressed earlier, or by an instance whose clock is behind.
    expect((await overHttp()).body).toMatchObject({ stored: true });
    const [row] = await stored();
    expect([...pressIds, other]).not.toContain(row?.pressId);
    expect(row?.pressId.localeCompare(other)).toBe(1);
    // A person's release of the other press does not lift this one.
    [released, pressIds] = [[other], []];
    const stops = new LatchedStops(service.deps);
    await stops.tick();
    expect(await stored()).toHaveLength(1);
    [released, pressIds] = [[row?.pressId ?? ''], []];
    await stops.tick();
    expect(await stored()).toEqual([]);
  });

  it('a hundred presses of one key while the database is silent ask the media server once for the room', async () => {
    await service.send('GET', `/v1/robots/${id}`);
    await silent();
    let asked = 0;
    const { listRooms } = service.sfu;
    service.sfu.listRooms = async () => {
      asked += 1;
      return listRooms.call(service.sfu);
    };
    try {
      const answers = await Promise.all(Array.from({ length: 100 }, () => overHttp()));
      expect(answers.map(({ body }) => body.stands)).toEqual(answers.map(() => true));
      expect(asked).toBeLessThan(5);
    } finally {
      service.sfu.listRooms = listRooms;
    }
  });

  it('a press on a robot with another owner since then is stored without its author and reason', async () => {
    const { robot } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'm' });
    const [account] = await service.deps.db.select({ id: robots.ownerId }).from(robots);
    await service.deps.db.update(robots).set({ ownerId: account?.id ?? '' });
    id = robot.id;
    await fullDisk();
    // No runtime is in its room, because it has no room.
    expect((await overHttp()).status).toBe(503);
    await service.deps.db.update(robots).set({ ownerId: null });
    await recover();
    await new LatchedStops(service.deps).tickUnstored();
    await expect.poll(stored).toMatchObject([{ robotId: id, pressedBy: 'an account that owned it before', reason: null }]);
  });

  it('a press that is neither delivered nor stored is refused with 503, and is still stored later', async () => {
    isThere = false;
    service.sfu.rooms.clear();
    await fullDisk();
    expect(await overHttp()).toMatchObject({ status: 503, body: { code: 'database.unavailable' } });
    await recover();
    await new LatchedStops(service.deps).tickUnstored();
    await expect.poll(stored).toHaveLength(1);
  });

  it('a key that this instance has not admitted recently gets 503 within seconds from a silent database', async () => {
    service.deps.memory.rights.clear();
    await silent();
    const { answer, tookMs } = await took(overHttp);
    expect(answer).toMatchObject({ status: 503, body: { code: 'database.unavailable' } });
    expect(tookMs).toBeLessThan(HONEST_WITHIN_MS);
    expect(pressIds).toEqual([]);
  });

  it('a key cannot press a robot of another account while the database is silent', async () => {
    await service.send('GET', `/v1/robots/${id}`, { key: service.keys[1] });
    await service.send('GET', '/v1/robots', { key: service.keys[1] });
    await silent();
    expect((await overHttp(service.keys[1])).status).toBe(503);
    expect(pressIds).toEqual([]);
  });

  it('a key that was admitted minutes ago cannot press while the database is silent', async () => {
    service.clock.advanceMs(5 * 60_000 + 1);
    await silent();
    expect((await overHttp()).status).toBe(503);
    expect(pressIds).toEqual([]);
  });

  it('a key that has expired since it was admitted cannot press while the database is silent', async () => {
    const made = await service.send('POST', '/v1/api-keys', { body: { name: 'short', ttl_seconds: 10 } });
    await service.send('GET', `/v1/robots/${id}`, { key: made.body.api_key });
    service.clock.advanceMs(10_000);
    await silent();
    expect((await overHttp(made.body.api_key)).status).toBe(503);
    expect(pressIds).toEqual([]);
  });

  it('a key that was revoked here cannot press while the database is silent', async () => {
    const made = await service.send('POST', '/v1/api-keys', { body: { name: 'leaked' } });
    await service.send('GET', `/v1/robots/${id}`, { key: made.body.api_key });
    await service.send('DELETE', `/v1/api-keys/${made.body.result.id}`);
    await silent();
    expect((await overHttp(made.body.api_key)).status).toBe(503);
    expect(pressIds).toEqual([]);
  });

  it('a robot that was deleted here cannot be pressed while the database is silent', async () => {
    await service.send('DELETE', `/v1/robots/${id}`);
    await silent();
    expect((await overHttp()).status).toBe(503);
  });

  it.each([
    ['an account that has lost the robot', { accountId: 'another' }],
    ['a link whose session is over', { room: 'robot-0193f2c4-8a51-7c3e-9d10-5b7a2e4f6c81-00' }],
  ])('a press that was admitted without the database is not stored for %s', async (_who, right) => {
    const order = {
      robotId: id,
      findRoom: async () => null,
      right,
      isSure: false,
      accountId: null,
      pressedBy: 'x',
      reason: null,
    };
    expect(await pressRobot(service.deps, order)).toBeNull();
    expect(await stored()).toEqual([]);
    expect(service.deps.memory.unstored.size).toBe(0);
  });

  it('a press of the owner is stored if it comes together with an unauthorized one', async () => {
    const order = {
      robotId: id,
      findRoom: async () => room,
      right: { accountId: 'another' },
      isSure: false,
      accountId: null,
      pressedBy: 'x',
      reason: null,
    };
    const [wrong, right] = await Promise.all([pressRobot(service.deps, order), overHttp()]);
    expect(wrong).toBeNull();
    expect(right.body).toMatchObject({ stands: true, stored: true });
    expect(await stored()).toMatchObject([{ pressedBy: expect.stringContaining('HTTP') }]);
  });

  it('a press does not wait until the use of its key is recorded', async () => {
    service.clock.advanceMs(61_000);
    endFault = await refuseWrites(service.deps.db, 'api_keys');
    expect((await overHttp()).body).toMatchObject({ stands: true, stored: true });
  });

  it('a command is carried out even if the use of its session cannot be recorded', async () => {
    service.clock.advanceMs(61_000);
    endFault = await refuseWrites(service.deps.db, 'sessions');
    const { answer } = service.sfu;
    const meta = { action_id: 'a', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
    service.sfu.answer = (call) =>
      call.method === 'runtime.tools_call' ? JSON.stringify({ status: 'done', result: {}, meta }) : answer(call);
    const stop = await service.send('POST', `/v1/robots/${id}/session/command`, { body: { skill: 'stop', parameters: {} } });
    expect(stop).toMatchObject({ status: 200, body: { result: { status: 'done' } } });
  });
});
