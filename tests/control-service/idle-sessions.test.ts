/** Unused sessions end automatically, and no others. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../../src/control-service/accounts.ts';
import { sessions } from '../../src/control-service/db/schema.ts';
import { DEFAULT_SETTINGS } from '../../src/control-service/deps.ts';
import { IdleSessions } from '../../src/control-service/operations/idle-sessions.ts';
import { ROOM_KEY_MAX_TTL_S } from '../../src/protocol/wire/limits.ts';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';

const HOUR_MS = 3_600_000;
const STEP_MS = 15 * 60_000;
const { sessionIdleMs } = DEFAULT_SETTINGS;
const meta = { action_id: 'a', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };

let service: TestService;
let idle: IdleSessions;
let id: string;

const made = async (key = service.keys[0]): Promise<string> => {
  const { body } = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' }, key });
  return body.result.id;
};
const open = async (robotId = id, key = service.keys[0]): Promise<string> => {
  const { status, body } = await service.send('POST', `/rcs/v1/robots/${robotId}/session`, { key, body: { worker_names: [] } });
  expect(status).toBe(200);
  return body.room_name;
};
const token = (robotId = id) =>
  service.send('POST', `/v1/robots/${robotId}/session/participant-token`, {
    body: { participant_identity: `simplesim:${robotId}` },
  });
const rooms = (): string[] => [...service.sfu.rooms.keys()];
/** Lets time pass in steps, at each of which the service checks its sessions. */
async function pass(ms: number, of = idle): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
    service.clock.advanceMs(STEP_MS);
    await of.tick();
  }
}

it('a session outlives every credential that was issued for it', () => {
  expect(sessionIdleMs).toBeGreaterThanOrEqual(ROOM_KEY_MAX_TTL_S * 1000);
});

describe.each(DATABASES)('a session on $database', ({ database }) => {
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(async () => {
    await service.reset();
    service.deps.settings = { ...service.deps.settings, sessionIdleMs };
    idle = new IdleSessions(service.deps);
    id = await made();
    await idle.tick();
  });
  afterAll(() => service.close());

  it('a session that is unused for six hours ends with its room, and another can be opened', async () => {
    const room = await open();
    await pass(6 * HOUR_MS - STEP_MS);
    expect(rooms()).toEqual([room]);
    await pass(STEP_MS);
    expect(rooms()).toEqual([]);
    expect(await service.deps.db.select().from(sessions)).toEqual([]);
    expect((await token()).body.code).toBe('session.not_found');
    expect(service.log).toContainEqual({ level: 'info', event: 'session_ended', robot_id: id, room, reason: 'unused' });
    expect(await open()).not.toBe(room);
  });

  it('a session stays open while a participant is in its room, and for six hours after the last one left', async () => {
    const room = await open();
    service.sfu.people.add(room);
    await pass(8 * HOUR_MS);
    service.sfu.people.clear();
    await pass(6 * HOUR_MS - STEP_MS);
    expect(rooms()).toEqual([room]);
    await pass(STEP_MS);
    expect(rooms()).toEqual([]);
  });

  it.each([
    ['a credential is given out', () => token()],
    ['it is opened again', () => service.send('POST', `/v1/robots/${id}/session`, { body: { worker_names: [] } })],
    ['a command comes', () => service.send('POST', `/v1/robots/${id}/session/command`, { body: { skill: 'go_to' } })],
  ])('a session stays open for six hours after its use: %s', async (_, use) => {
    const room = await open();
    service.sfu.identities = [`rcw-${id}`];
    service.sfu.answer = () => JSON.stringify({ status: 'done', result: {}, meta });
    await pass(5 * HOUR_MS);
    expect((await use()).status).toBe(200);
    await pass(6 * HOUR_MS - STEP_MS);
    expect(rooms()).toEqual([room]);
    await pass(STEP_MS);
    expect(rooms()).toEqual([]);
  });

  it('a session is not ended by a service that has just started or was suspended, because its users return to the room', async () => {
    const room = await open();
    service.clock.advanceMs(24 * HOUR_MS);
    const fresh = new IdleSessions(service.deps);
    await fresh.tick();
    service.clock.advanceMs(24 * HOUR_MS);
    await fresh.tick();
    expect(rooms()).toEqual([room]);
    service.sfu.people.add(room);
    await pass(STEP_MS, fresh);
    service.sfu.people.clear();
    await pass(6 * HOUR_MS - STEP_MS, fresh);
    expect(rooms()).toEqual([room]);
    await pass(STEP_MS, fresh);
    expect(rooms()).toEqual([]);
  });

  it('an unused session of one account ends, and a used one of another account stays', async () => {
    const theirs = await made(service.keys[1]);
    await open();
    const used = await open(theirs, service.keys[1]);
    service.sfu.people.add(used);
    await pass(6 * HOUR_MS);
    expect(rooms()).toEqual([used]);
    expect((await service.send('DELETE', `/v1/robots/${theirs}/session`, { key: service.keys[1] })).status).toBe(204);
  });

  it('a session stays while the SFU does not report its participants, or does not close the room', async () => {
    const room = await open();
    await pass(5 * HOUR_MS);
    service.sfu.failing.add('hasPeople');
    await pass(3 * HOUR_MS);
    service.sfu.failing.clear();
    expect((await service.send('GET', `/v1/robots/${id}`)).status).toBe(200);
    service.sfu.failing.add('deleteRoom');
    await pass(STEP_MS);
    expect(rooms()).toEqual([room]);
    service.sfu.failing.clear();
    await pass(STEP_MS);
    expect(rooms()).toEqual([]);
    expect(await service.deps.db.select().from(sessions)).toEqual([]);
  });

  it('a session never ends automatically if the settings disable it', async () => {
    service.deps.settings = { ...service.deps.settings, sessionIdleMs: null };
    const room = await open();
    await pass(8 * HOUR_MS);
    expect(rooms()).toEqual([room]);
  });

  it('a session that a service left half open or half closed is removed without a request', async () => {
    const room = await open();
    const phaseEndsAt = new Date(service.clock.nowMs());
    await service.deps.db.update(sessions).set({ phase: 'closing', phaseEndsAt });
    service.clock.advanceMs(59_000);
    await idle.tick();
    expect(rooms()).toEqual([room]);
    service.clock.advanceMs(1_000);
    await idle.tick();
    expect(rooms()).toEqual([]);
    expect(await service.deps.db.select().from(sessions)).toEqual([]);
  });

  it('a session of an old folder counts as used at the time of the migration', async () => {
    await createKey(service.deps, { account: 'old', name: 'x', expiresAt: null });
    const [row] = await service.deps.db
      .insert(sessions)
      .values({ robotId: id, roomName: 'old', createdAt: new Date(0) })
      .returning();
    expect(row?.lastUsedAt).toBeInstanceOf(Date);
  });
});

describe('two instances on one PostgreSQL', () => {
  let other: TestService;
  beforeAll(async () => {
    service = await startTestService({ database: 'PostgreSQL' });
    other = await service.startBeside();
  });
  beforeEach(() => service.reset());
  afterAll(async () => {
    await other.close();
    await service.close();
  });

  it('two instances end a session once, and keep one that the other has just used', async () => {
    const both = [service, other].map(({ deps }) => new IdleSessions(deps));
    for (const one of both) await one.tick();
    id = await made();
    const used = await made();
    await open();
    const kept = await open(used);
    for (let passedMs = 0; passedMs < 6 * HOUR_MS; passedMs += STEP_MS) {
      service.clock.advanceMs(STEP_MS);
      if (passedMs === 3 * HOUR_MS) expect((await token(used)).status).toBe(200);
      await Promise.all(both.map((one) => one.tick()));
    }
    expect(rooms()).toEqual([kept]);
    expect([...service.log, ...other.log].filter(({ event }) => event === 'session_ended')).toHaveLength(1);
  });
});
