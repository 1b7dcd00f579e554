import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/control-service/app.ts';
import { sessions } from '../../src/control-service/db/schema.ts';
import { openSession, reopenRooms } from '../../src/control-service/operations/sessions.ts';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';

const ROBOTS = 24;

describe.each(DATABASES)('on $database', ({ database }) => {
  let service: TestService;
  let robotId: string;
  beforeAll(async () => {
    // Fewer connections than requests that wait for the SFU.
    service = await startTestService({ database, poolSize: 4 });
  });
  beforeEach(async () => {
    await service.reset();
    robotId = await newRobot();
  });
  afterAll(() => service.close());

  const newRobot = async (): Promise<string> =>
    (await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } })).body.result.id;
  const open = (body: object = {}, id = robotId, at = service) => at.send('POST', `/rcs/v1/robots/${id}/session`, { body });
  const end = (id = robotId, at = service) => at.send('DELETE', `/rcs/v1/robots/${id}/session`);
  const token = () =>
    service.send('POST', `/rcs/v1/robots/${robotId}/session/participant-token`, { body: { participant_identity: 'x' } });
  const stored = () => service.deps.db.select().from(sessions);
  const untilSfuIsAsked = async (calls = 1): Promise<void> => {
    while (service.sfu.waiting < calls) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Runs `act` on a database that refuses to write sessions `times` times. */
  async function withFailingWrites<T>(times: number, method: 'update' | 'delete', act: () => Promise<T>): Promise<T> {
    const { db } = service.deps;
    let left = times;
    service.deps.db = new Proxy(db, {
      get(target, name) {
        if (name === method && left > 0) {
          left -= 1;
          return () => {
            throw new Error('The connection to the database was lost.');
          };
        }
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    try {
      return await act();
    } finally {
      service.deps.db = db;
    }
  }

  describe('nothing of a session stays', () => {
    it.each(['ensureRoom', 'dispatch one', 'dispatch two'])(
      'no part of a session is left if the SFU fails at: %s',
      async (call) => {
        service.sfu.failing.add(call);
        const refused = await open({ worker_names: ['one', 'two'] });
        expect(refused).toMatchObject({ status: 503, body: { code: 'sfu.unavailable' } });
        expect([service.sfu.rooms.size, await stored()]).toEqual([0, []]);
        expect(await token()).toMatchObject({ status: 409, body: { code: 'session.not_found' } });
        service.sfu.failing.clear();
        expect((await open({ worker_names: ['one', 'two'] })).status).toBe(200);
      },
    );

    it('nothing of a session is left if the database fails after the SFU has agreed', async () => {
      const refused = await withFailingWrites(1, 'update', () => open());
      expect(refused).toMatchObject({ status: 500, body: { code: 'internal' } });
      expect([service.sfu.rooms.size, await stored()]).toEqual([0, []]);
      expect((await open()).status).toBe(200);
    });

    it('nothing of a session is left if the caller disconnects before it is open', async () => {
      const gone = new AbortController();
      const [row] = await service.deps.db.query.robots.findMany({ columns: { ownerId: true } });
      const ensureRoom = service.sfu.ensureRoom.bind(service.sfu);
      service.sfu.ensureRoom = async (...args) => {
        gone.abort();
        return ensureRoom(...args);
      };
      const opening = openSession(service.deps, { accountId: row?.ownerId ?? '' }, robotId, {}, gone.signal);
      await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
      expect([service.sfu.rooms.size, await stored()]).toEqual([0, []]);
    });

    it('nothing of a session is left if opening it exceeds the time limit of an operation', async () => {
      const impatient = createApp(service.deps, { operationLimitMs: 200 });
      const release = service.sfu.hang();
      const headers = { Authorization: `Bearer ${service.keys[0]}` };
      const answer = await impatient.request(`/rcs/v1/robots/${robotId}/session`, { method: 'POST', headers });
      expect([answer.status, (await answer.json()).code]).toEqual([504, 'service.timeout']);
      // The SFU agrees late: to the room, and to its end.
      release('well');
      await vi.waitUntil(async () => service.sfu.waiting === 0 && (await stored()).length === 0);
      expect(service.sfu.rooms.size).toBe(0);
    });

    it('a session that cannot be rolled back is left half open until the next request removes it', async () => {
      service.sfu.failing.add('dispatch one').add('deleteRoom');
      expect((await open({ worker_names: ['one'] })).status).toBe(503);
      const [left] = service.sfu.rooms.keys();
      expect(left).toEqual(expect.any(String));
      expect((await token()).status).toBe(409);
      service.sfu.failing.clear();
      const { body } = await open({ worker_names: ['one'] });
      expect([...service.sfu.rooms.keys()]).toEqual([body.room_name]);
      expect(body.room_name).not.toBe(left);
    });
  });

  describe('closing a session', () => {
    it('a session stays open if the SFU refuses to close it', async () => {
      await open();
      service.sfu.failing.add('deleteRoom');
      expect((await end()).status).toBe(503);
      expect((await service.send('DELETE', `/v1/robots/${robotId}`)).status).toBe(503);
      expect((await token()).status).toBe(200);
      service.sfu.failing.clear();
      expect((await end()).status).toBe(204);
    });

    it('a session is closed even if the database fails to record its end, and can be closed and opened again', async () => {
      await open();
      const failed = await withFailingWrites(1, 'delete', () => end());
      expect(failed.status).toBe(500);
      expect([service.sfu.rooms.size, (await token()).status]).toEqual([0, 409]);
      expect((await end()).status).toBe(204);
      expect((await open()).status).toBe(200);
      expect(await stored()).toHaveLength(1);
    });

    it('closing a session while a caller requests a token leaves either a token and a room, or neither', async () => {
      for (let round = 0; round < 8; round += 1) {
        await open();
        const [ended, taken] = await Promise.all([end(), token()]);
        expect(ended.status).toBe(204);
        expect([200, 409]).toContain(taken.status);
        expect([service.sfu.rooms.size, await stored()]).toEqual([0, []]);
      }
    });
  });

  describe('an SFU that hangs', () => {
    it('a hanging SFU delays no request for another robot, however many wait for it', async () => {
      const ids = await Promise.all(Array.from({ length: ROBOTS }, newRobot));
      const release = service.sfu.hang();
      const opening = ids.map((id) => open({}, id));
      await untilSfuIsAsked(ROBOTS);
      expect((await service.send('GET', '/v1/robots')).body.total).toBe(ROBOTS + 1);
      expect((await service.send('PATCH', `/v1/robots/${robotId}`, { body: { name: 'Bo' } })).status).toBe(200);
      expect((await token()).status).toBe(409);
      release();
      expect(new Set((await Promise.all(opening)).map(({ status }) => status))).toEqual(new Set([503]));
    });

    it('a hanging SFU delays a second request for the same robot, but not for ever', async () => {
      const release = service.sfu.hang();
      const first = open();
      await untilSfuIsAsked();
      const second = open();
      service.clock.advanceMs(60_000);
      // The first request has timed out: the second takes its place, and meets the same SFU.
      await untilSfuIsAsked(2);
      release();
      expect([(await first).status, (await second).status]).toEqual([503, 503]);
      expect((await open()).status).toBe(200);
      expect(await stored()).toHaveLength(1);
    });
  });

  it('a second request does not wait longer because the database is slow', async () => {
    const { db } = service.deps;
    const release = service.sfu.hang();
    const first = open();
    await untilSfuIsAsked();
    let looks = 0;
    // Each query takes a second.
    service.deps.db = new Proxy(db, {
      get(target, name) {
        if (name === 'transaction') {
          looks += 1;
          service.clock.advanceMs(1_000);
          if (looks > 20) throw new Error('It waits for too long.');
        }
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    try {
      expect(await open()).toMatchObject({ status: 503, body: { code: 'session.busy' } });
    } finally {
      service.deps.db = db;
      release();
    }
    expect((await first).status).toBe(503);
  });

  it('the remains of a service that died midway are removed by the next request', async () => {
    await open();
    const [left] = service.sfu.rooms.keys();
    for (const phase of ['opening', 'closing'] as const) {
      await service.deps.db.update(sessions).set({ phase, phaseEndsAt: new Date(service.clock.nowMs()) });
      expect((await token()).status).toBe(409);
    }
    const { body } = await open();
    expect([...service.sfu.rooms.keys()]).toEqual([body.room_name]);
    expect(body.room_name).not.toBe(left);
    await service.deps.db.update(sessions).set({ phase: 'opening', phaseEndsAt: new Date(service.clock.nowMs()) });
    expect((await service.send('DELETE', `/v1/robots/${robotId}`)).status).toBe(204);
    expect([service.sfu.rooms.size, await stored()]).toEqual([0, []]);
  });

  it('the remains of a session are remembered until the SFU has removed them', async () => {
    await open();
    const [left] = service.sfu.rooms.keys();
    await service.deps.db.update(sessions).set({ phase: 'closing', phaseEndsAt: new Date(service.clock.nowMs()) });
    service.sfu.failing.add('deleteRoom');
    for (const attempt of [1, 2]) expect([attempt, (await open()).status]).toEqual([attempt, 503]);
    expect([...service.sfu.rooms.keys()]).toEqual([left]);
    service.sfu.failing.clear();
    const { body } = await open();
    expect([...service.sfu.rooms.keys()]).toEqual([body.room_name]);
  });

  it('an SFU that lost its rooms gets those of the open sessions again, with their agents', async () => {
    const other = await newRobot();
    const names = [(await open({ worker_names: ['voice'] })).body.room_name, (await open({}, other)).body.room_name];
    service.sfu.rooms.clear();
    service.sfu.dispatched.length = 0;
    expect(await reopenRooms(service.deps)).toBe(2);
    expect([...service.sfu.rooms.keys()].sort()).toEqual(names.sort());
    expect(service.sfu.dispatched.map(({ agentName }) => agentName)).toEqual(['voice']);
    service.sfu.failing.add('ensureRoom');
    expect(await reopenRooms(service.deps)).toBe(2);
  });

  if (database === 'PostgreSQL') {
    it('two instances make one session for a robot, whatever they are asked at once', async () => {
      const beside = await service.startBeside();
      const both = [service, beside];
      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.all([0, 1, 2, 3].map((i) => open({ worker_names: ['a'] }, robotId, both[i % 2])));
        expect(new Set(answers.map(({ status, body }) => `${status} ${body.room_name}`)).size).toBe(1);
        expect([service.sfu.rooms.size, service.sfu.dispatched.length]).toEqual([1, round + 1]);
        await Promise.all(both.map((at) => end(robotId, at)));
        expect([service.sfu.rooms.size, await stored()]).toEqual([0, []]);
      }
      const mixed = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((i) => (i % 3 ? open({}, robotId, both[i % 2]) : end(robotId, both[i % 2]))),
      );
      expect(mixed.every(({ status }) => status === 200 || status === 204)).toBe(true);
      expect(service.sfu.rooms.size).toBe((await stored()).length);
    });
  }
});
