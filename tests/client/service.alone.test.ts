import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/client/index.ts';
import { Client, connect, generateRoomKey, getSessionViewerUrl, PlatformAPIError } from '../../src/client/index.ts';
import { createKey, revokeKey } from '../../src/control-service/accounts.ts';
import { createApp } from '../../src/control-service/app.ts';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { readRoomKey } from '../../src/protocol/room/room-key.ts';
import { startTestService, type TestService } from '../control-service/helpers/service.ts';
import { doneReply, guardReply } from './helpers/fake-room.ts';

/** The library against the service itself, without a network: the rows of the specification that both implement. */

let service: TestService;
let app: ReturnType<typeof createApp>;
let client: Client;

const clientOf = (options: ClientOptions): Client =>
  new Client({
    rcsUrl: 'http://service.test/rcs',
    viewerUrl: 'http://viewer.test',
    fetch: async (input, init) => app.request(String(input), init),
    ...options,
  });

beforeAll(async () => {
  service = await startTestService();
  app = createApp(service.deps);
});
beforeEach(async () => {
  await service.reset();
  client = clientOf({ apiKey: service.keys[0] });
});
afterAll(() => service.close());

async function newSession(): Promise<string> {
  const { robot } = await client.robots.create({ name: 'Ada', model: 'm' });
  await client.robots.createSession(robot.id, { workerNames: [] });
  return robot.id;
}

describe('4.1 and 4.3: operations', () => {
  it('a session is opened for a scene, which later openings without one leave unchanged', async () => {
    const { robot } = await client.robots.create({ name: 'Ada', model: 'm' });
    const first = await client.robots.createSession(robot.id, { workerNames: [], sceneId: 'kitchen' });
    const second = await client.robots.createSession(robot.id, { workerNames: [] });
    expect([first, second].map((session) => session.room_metadata.scene_id)).toEqual(['kitchen', 'kitchen']);
  });

  it('create, get, list, iter, update with the given fields alone, delete', async () => {
    const { robot, pin_code } = await client.robots.create({ name: 'Ada', model: 'm', description: 'first' });
    expect(pin_code).toMatch(/^\d+$/);
    for (let n = 0; n < 3; n += 1) await client.robots.create({ name: `R${n}`, model: 'm' });
    const page = await client.robots.list({ limit: 3 });
    expect([page.robots.length, page.total]).toEqual([3, 4]);
    const rest = await client.robots.list({ limit: 3, afterId: page.next_id ?? '' });
    expect([rest.robots.length, rest.next_id]).toEqual([1, null]);
    const names: string[] = [];
    for await (const { name } of client.robots.iter({ limit: 2 })) names.push(name);
    expect(names.sort()).toEqual(['Ada', 'R0', 'R1', 'R2']);
    expect(await client.robots.update(robot.id, { name: 'Eve' })).toMatchObject({ name: 'Eve', description: 'first' });
    expect(await client.robots.update(robot.id, { language: 'en' })).toMatchObject({ name: 'Eve', language: 'en' });
    await client.robots.delete(robot.id);
    await expect(client.robots.get(robot.id)).rejects.toMatchObject({ statusCode: 404, code: 'robot.not_found' });
  });

  it('claim: 400, 409 and the robot', async () => {
    const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
    const wrong = client.robots.claim(robot.id, pinCode === '000000' ? '000001' : '000000');
    await expect(wrong).rejects.toMatchObject({ statusCode: 400, code: 'claim.wrong_pin' });
    expect(await client.robots.claim(robot.id, pinCode)).toMatchObject({ id: robot.id, type: 'physical' });
    const second = clientOf({ apiKey: service.keys[1] }).robots.claim(robot.id, pinCode);
    await expect(second).rejects.toMatchObject({ statusCode: 409 });
  });

  it('connect without joining, participant token, room key, long link, disconnect', async () => {
    const { robot } = await client.robots.create({ name: 'Ada', model: 'm' });
    const session = await connect(client, robot.id, { workerNames: [], joinLivekit: false });
    expect(session.roomMetadata).toMatchObject({ robot_id: robot.id, dispatched_agent_names: [] });
    const token = await client.robots.createParticipantToken(robot.id, { participantIdentity: 'me', ttlS: 999_999 });
    expect(Date.parse(token.expires_at) - service.clock.nowMs()).toBe(6 * 3_600_000);
    const read = (pasted: string) => readRoomKey(pasted, { nowMs: service.clock.nowMs(), pageProtocol: 'http:' });
    const key = { sfuUrl: 'ws://sfu.test:7880', room: session.roomName, robotId: robot.id };
    expect(read(await generateRoomKey(client, robot.id))).toMatchObject({ ok: true, key });
    const link = await getSessionViewerUrl(client, robot.id);
    expect(link).toMatch(/^http:\/\/viewer\.test\/\?lk_url=/);
    expect(read(link)).toMatchObject({ ok: true, key });
    await session.disconnect();
    const late = client.robots.createParticipantToken(robot.id, { participantIdentity: 'me' });
    await expect(late).rejects.toMatchObject({ statusCode: 409 });
  });

  it('session command: a result, a failure as it is, and no runtime', async () => {
    const id = await newSession();
    const set = (actionId: string) => client.robots.sendSessionCommand(id, 'set_sim_speed', { speed: 2 }, { actionId });
    await expect(set('a')).rejects.toMatchObject({ name: 'PlatformAPIError', statusCode: 409 });
    service.sfu.identities = [`simplesim:${id}`];
    service.sfu.answer = () => JSON.stringify(doneReply('b', { speed: 2 }));
    expect(await set('b')).toMatchObject({ status: 'done', result: { speed: 2 }, meta: { action_id: 'b' } });
    const details = { stage: 'control', attempted: false, world_changed: 'no', retryable: true };
    service.sfu.answer = () => JSON.stringify(guardReply('BUSY', 'The base is taken.', details));
    await expect(set('c')).rejects.toMatchObject({ name: 'RcwRuntimeError', code: 'BUSY' });
    service.sfu.answer = () => JSON.stringify(doneReply('d'));
    expect(await client.robots.sendSemanticCommand(id, 'turn-left')).toBeUndefined();
  });
});

describe('7.3: PlatformAPIError', () => {
  it('PlatformAPIError has the fields of the service’s answer', async () => {
    const error = await client.robots.get('nobody').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(PlatformAPIError);
    const requestId = service.log.at(-1)?.request_id;
    expect(error).toMatchObject({ statusCode: 404, code: 'robot.not_found', requestId, retryAfterS: null });
    expect((error as PlatformAPIError).message).toMatch(/\.$/);
  });

  it('the error of a key that grants no access reads as http.401: unauthorized, with the reason and without the key', async () => {
    const revoked = await createKey(service.deps, { account: 'lab', name: 'lab', expiresAt: null });
    await revokeKey(service.deps, revoked.info.id);
    const expired = await createKey(service.deps, { account: 'lab', name: 'lab', expiresAt: new Date(0) });
    const keys = { unknown: 'sk_live_wrong-and-secret', revoked: revoked.key, expired: expired.key };
    for (const [reason, apiKey] of Object.entries(keys)) {
      const error = await clientOf({ apiKey })
        .robots.list()
        .catch((e: unknown) => e);
      expect(String(error)).toBe('PlatformAPIError: http.401: unauthorized');
      expect(error).toMatchObject({ statusCode: 401, code: 'http.401', message: 'unauthorized' });
      expect((error as PlatformAPIError).details).toMatchObject({ reason, hint: expect.stringMatching(/\.$/) });
      expect(inspect(error)).not.toContain(apiKey.slice(12));
    }
  });

  it('the error of a limited claim contains the time to wait', async () => {
    const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
    const wrong = pinCode === '000000' ? '000001' : '000000';
    let last: unknown;
    for (let n = 0; n < 50 && !(last instanceof PlatformAPIError && last.statusCode === 429); n += 1) {
      last = await client.robots.claim(robot.id, wrong).catch((e: unknown) => e);
    }
    expect(last).toMatchObject({ statusCode: 429, code: 'claim.rate_limited', retryAfterS: expect.any(Number) });
  });
});
