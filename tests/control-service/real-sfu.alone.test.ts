import { SignalResponse } from '@livekit/protocol';
import { Room, RoomEvent } from '@livekit/rtc-node';
import { decodeJwt } from 'jose';
import { AgentDispatchClient, RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ClosedLinks } from '../../src/control-service/operations/closed-links.ts';
import { reopenRooms } from '../../src/control-service/operations/sessions.ts';
import { placeToWatch } from '../../src/control-service/operations/watch.ts';
import { createSfuAdmin, type SfuAccess, type SfuAdmin } from '../../src/control-service/sfu-admin.ts';
import { type Sfu, startSfu } from '../../src/launch/sfu.ts';
import { joinScriptedRuntime, type ScriptedRuntime } from '../client/helpers/scripted-runtime.ts';
import { waitUntil } from '../launch/helpers/processes.ts';
import { startAgentWorker } from './helpers/agent-worker.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let sfu: Sfu;
let access: SfuAccess;
let admin: SfuAdmin;
let service: TestService;
let robotId: string;
const leaving: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  sfu = await startSfu({ port: 0, roomsOnJoin: false, onRestart: async () => void (await reopenRooms(service.deps)) });
  access = { participantUrl: sfu.url, httpUrl: sfu.httpUrl, apiKey: sfu.apiKey, apiSecret: sfu.apiSecret };
  admin = createSfuAdmin(access);
  service = await startTestService();
  await service.reset();
  // A real SFU checks the tokens, by a clock that the test does not control.
  service.clock.advanceMs(Date.now() - service.clock.nowMs());
  service.deps.sfu = admin;
  const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
  robotId = created.body.result.id;
}, 300_000);
afterEach(async () => {
  for (const leave of leaving.splice(0).reverse()) await leave();
  await end();
});
afterAll(async () => {
  await service?.close();
  await sfu?.stop();
});

const path = (rest: string) => `/rcs/v1/robots/${robotId}${rest}`;
const session = async (body: object = { worker_names: [] }) =>
  (await service.send('POST', path('/session'), { body })).body as { room_name: string; room_metadata: Record<string, unknown> };
const identitiesIn = async (room: string) => (await admin.listParticipants(room)).map(({ identity }) => identity);
const end = () => service.send('DELETE', path('/session'));
const command = (body: object) => service.send('POST', path('/session/command'), { body });
const tokenFor = async (identity: string) =>
  (await service.send('POST', path('/session/participant-token'), { body: { participant_identity: identity } })).body as {
    participant_token: string;
    room_name: string;
  };

async function enter(token: string): Promise<Room> {
  const room = new Room();
  await room.connect(sfu.url, token, { autoSubscribe: true, dynacast: false });
  const out = new Promise<void>((resolve) => room.once(RoomEvent.Disconnected, () => resolve()));
  // LiveKit's answer to a leave may be lost if the room ends at the same moment.
  leaving.push(() => Promise.race([room.disconnect(), out]));
  return room;
}
const join = async (identity: string): Promise<Room> => enter((await tokenFor(identity)).participant_token);
const putOut = (room: Room) => new Promise<unknown>((resolve) => room.once(RoomEvent.Disconnected, resolve));

async function joinRuntime(identity = `simplesim:${robotId}`, goToMs = 60_000): Promise<ScriptedRuntime> {
  const runtime = await joinScriptedRuntime(sfu.url, (await tokenFor(identity)).participant_token, { goToMs });
  leaving.push(() => runtime.leave());
  return runtime;
}

/** Joins by LiveKit's protocol. @returns the token with which the SFU replaces the first, and a function that leaves */
async function renewalOf(token: string): Promise<{ token: string; leave: () => void }> {
  const socket = new WebSocket(`${sfu.url}/rtc?protocol=15&auto_subscribe=0&access_token=${token}`);
  socket.binaryType = 'arraybuffer';
  return new Promise((resolve, reject) => {
    socket.addEventListener('close', () => reject(new Error('The SFU closed the connection.')));
    socket.addEventListener('message', ({ data }) => {
      const { message } = SignalResponse.fromBinary(new Uint8Array(data as ArrayBuffer));
      if (message.case === 'refreshToken') resolve({ token: message.value, leave: () => socket.close() });
    });
  });
}

describe('a link on the SFU', () => {
  const linkTo = async (ttlS: number) => {
    const body = { participant_identity: 'operator-1', access: 'drive', ttl_seconds: ttlS };
    const { body: made } = await service.send('POST', path('/session/participant-token'), { body });
    return made as { participant_token: string; room_name: string; link_id: string };
  };
  const place = async (token: string) => (await placeToWatch(service.deps, access, { token })).watch;

  it('a link’s id and end stay in the token that the SFU renews, which then grants neither a place nor a control grant', async () => {
    await session();
    const link = await linkTo(60);
    const { attributes: signed, exp: endsAtS = 0 } = decodeJwt(link.participant_token);
    const renewed = await renewalOf((await place(link.participant_token))?.token ?? '');
    leaving.push(async () => renewed.leave());
    const claims = decodeJwt(renewed.token);
    expect(claims.exp).toBeGreaterThan(endsAtS);
    expect(claims.attributes).toMatchObject(signed as object);
    expect(await place(renewed.token)).toBeNull();
  });

  it('a revoked link’s page is removed, and the SFU readmits it only until the next check of the room', async () => {
    await session();
    const link = await linkTo(600);
    const renewed = await renewalOf((await place(link.participant_token))?.token ?? '');
    await waitUntil(async () => (await identitiesIn(link.room_name)).length === 1, 'the page to come');
    await service.send('DELETE', path(`/session/links/${link.link_id}`));
    await waitUntil(async () => (await identitiesIn(link.room_name)).length === 0, 'the page to go');
    const again = await renewalOf(renewed.token);
    leaving.push(async () => again.leave());
    await waitUntil(async () => (await identitiesIn(link.room_name)).length === 1, 'the page to come');
    await new ClosedLinks(service.deps).tick();
    await waitUntil(async () => (await identitiesIn(link.room_name)).length === 0, 'the page to go');
  });
});

describe('a session on the SFU', () => {
  it('a session is a room with its metadata, also when it is joined', async () => {
    const opened = await session({ worker_names: [], scene_id: 'one' });
    const rooms = new RoomServiceClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret);
    const metadata = async () => JSON.parse((await rooms.listRooms([opened.room_name]))[0]?.metadata ?? '');
    expect(await metadata()).toEqual(opened.room_metadata);
    const joined = await session({ scene_id: 'two' });
    expect(joined.room_name).toBe(opened.room_name);
    expect(await metadata()).toMatchObject({ robot_id: robotId, scene_id: 'two' });
  });

  it('a session is joined with its tokens, and its end disconnects all participants', async () => {
    const { room_name: name } = await session();
    const viewer = await join(`simplesim:${robotId}`);
    await join('client:a');
    expect((await identitiesIn(name)).sort()).toEqual(['client:a', `simplesim:${robotId}`]);
    const out = putOut(viewer);
    expect((await end()).status).toBe(204);
    await out;
    expect(await identitiesIn(name)).toEqual([]);
  });

  it('the tokens of an ended session do not open it again, even next to the following one', async () => {
    await session();
    const { participant_token: token } = await tokenFor('client:a');
    await end();
    await expect(enter(token)).rejects.toThrow();
    await session();
    await expect(enter(token)).rejects.toThrow();
    await join('client:b');
  });

  it.each([
    ['client:a', { canPublish: false, canPublishData: true, canSubscribe: true }],
    ['simplesim', { canPublish: true, canPublishData: true, canSubscribe: false }],
    ['rcw-left', { canPublish: true, canPublishData: true, canSubscribe: true }],
  ])('lets %s do what it needs and no more', async (identity, permission) => {
    const { room_name: name } = await session();
    const me = await join(identity);
    const other = await join('client:other');
    const rooms = new RoomServiceClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret);
    expect((await rooms.getParticipant(name, identity)).permission).toMatchObject({
      ...permission,
      hidden: false,
      recorder: false,
      canUpdateMetadata: false,
      agent: false,
    });
    // Its rights suffice for calls in both directions and for a picture.
    for (const [from, to] of [
      [me, other],
      [other, me],
    ] as const) {
      to.localParticipant?.registerRpcMethod('echo', async ({ payload }) => payload);
      const toIdentity = to === me ? identity : 'client:other';
      const call = { destinationIdentity: toIdentity, method: 'echo', payload: 'hello' };
      expect(await from.localParticipant?.performRpc(call)).toBe('hello');
      const arrived = new Promise((resolve) => {
        to.registerByteStreamHandler(
          'picture',
          (reader) => void reader.readAll().then((chunks) => resolve(Buffer.concat(chunks).length)),
        );
      });
      const writer = await from.localParticipant?.streamBytes({
        name: 'p',
        topic: 'picture',
        destinationIdentities: [toIdentity],
      });
      await writer?.write(new Uint8Array(40_000));
      await writer?.close();
      expect(await arrived).toBe(40_000);
    }
    // Its token allows none of the SFU's own calls.
    const { participant_token: token } = await tokenFor(identity);
    for (const [method, body] of [
      ['ListRooms', {}],
      ['CreateRoom', { name: 'mine' }],
      ['DeleteRoom', { room: name }],
      ['ListParticipants', { room: name }],
      ['PerformRpc', { room: name, destination_identity: identity, method: 'x' }],
    ] as const) {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const answer = await fetch(`${sfu.httpUrl}/twirp/livekit.RoomService/${method}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect([method, answer.status]).toEqual([method, 401]);
    }
  });

  it('a session sends its workers as agents, which are disconnected with all participants', async () => {
    const [voice, everywhere] = await Promise.all([startAgentWorker(access, 'voice'), startAgentWorker(access, '')]);
    try {
      const { room_name: name, room_metadata: metadata } = await session({ worker_names: ['voice', 'absent'] });
      const dispatches = await new AgentDispatchClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret).listDispatch(name);
      expect(Object.fromEntries(dispatches.map(({ id, agentName }) => [agentName, { id }]))).toEqual(metadata.dispatches);
      const job = await voice.nextJob();
      expect(job.room).toBe(name);
      expect(JSON.parse(job.metadata)).toEqual({ robot_id: robotId, scene_id: null });
      const agent = await enter(job.token);
      expect(await identitiesIn(name)).toEqual([expect.stringMatching(/^agent-/)]);
      // An agent alone does not count as use of the session; a client does.
      expect(await admin.hasPeople(name)).toBe(false);
      const client = await join('client');
      expect(await admin.hasPeople(name)).toBe(true);
      await client.disconnect();
      const out = putOut(agent);
      await end();
      await out;
    } finally {
      voice.close();
      everywhere.close();
    }
  });

  it('a session without workers has no dispatch, not even LiveKit’s default one for agents without a name', async () => {
    const { room_name: name } = await session({ worker_names: [] });
    expect(await new AgentDispatchClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret).listDispatch(name)).toEqual([]);
  });
});

describe('a command on the SFU', () => {
  const walk = { skill: 'go_to', parameters: { target: { kind: 'entity', entity_id: 'pad_B' } } };

  it('P5: a command that takes longer than LiveKit waits is carried out once, and repeated requests get its result', async () => {
    await session();
    const runtime = await joinRuntime(undefined, 6_000);
    const answers = await Promise.all([command({ ...walk, action_id: 'walk' }), command({ ...walk, action_id: 'walk' })]);
    expect(answers[0]).toMatchObject({ status: 200, body: { status: 'done', meta: { action_id: 'walk' } } });
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect((await command({ ...walk, action_id: 'walk' })).body).toEqual(answers[0]?.body);
    expect(runtime.executions()).toBe(1);
  }, 60_000);

  it('a command is delivered to a worker of any name', async () => {
    await session();
    await joinRuntime('rcw-left');
    expect(await command({ skill: 'set_head', parameters: { yaw: 0.1 } })).toMatchObject({ body: { status: 'done' } });
  });

  it('a command reports its failure: no runtime, a refusal, a participant that takes no calls, a reply too large to carry', async () => {
    await session();
    expect(await command({ skill: 'go_to' })).toMatchObject({ status: 409, body: { code: 'runtime.not_present' } });
    const tab = await join(`simplesim:${robotId}`);
    // The service waits for a runtime that has just joined, on the clock that only the test advances.
    const timePasses = setInterval(() => service.clock.advanceMs(50), 50);
    const refused = await command({ skill: 'go_to' }).finally(() => clearInterval(timePasses));
    expect(refused).toMatchObject({ status: 502, body: { message: expect.stringContaining('takes no skill calls') } });
    tab.localParticipant?.registerRpcMethod('runtime.tools_call', async () => 'x'.repeat(20_000));
    expect(await command({ skill: 'go_to' })).toMatchObject({
      status: 502,
      body: { message: expect.stringContaining('larger than LiveKit') },
    });
    tab.localParticipant?.registerRpcMethod('runtime.tools_call', async () => {
      throw new Error('a secret of the tab');
    });
    const failed = await command({ skill: 'go_to' });
    expect(failed).toMatchObject({ status: 502, body: { code: 'runtime.call_failed' } });
    expect(JSON.stringify(failed.body)).not.toContain('secret');
    await tab.disconnect();
    await joinRuntime();
    expect(await command({ skill: 'fly' })).toMatchObject({
      status: 200,
      body: { status: 'failed', error: { code: 'UNKNOWN_SKILL' } },
    });
  });
});

it('P5: a command outlives the SFU: the room and the runtime return, and the action has run once', async () => {
  const { room_name: name } = await session();
  const runtime = await joinRuntime(undefined, 1_000);
  const walk = { skill: 'go_to', parameters: { target: { kind: 'entity', entity_id: 'pad_B' } } };
  const answer = command({ ...walk, deadline_s: 90 });
  await waitUntil(() => runtime.executions() === 1, 'the action to start');
  const killed = sfu.pid;
  process.kill(killed ?? 0, 'SIGKILL');
  await waitUntil(() => sfu.pid !== killed && identitiesIn(name).then(Boolean, () => false), 'the room to be there again');
  await runtime.rejoin();
  expect(await answer).toMatchObject({ status: 200, body: { status: 'done' } });
  expect(runtime.executions()).toBe(1);
  expect(await identitiesIn(name)).toEqual([`simplesim:${robotId}`]);
});

it('an SFU that does not answer is reported with its own error code', async () => {
  const nobody = createSfuAdmin({
    participantUrl: 'ws://127.0.0.1:9',
    httpUrl: 'http://127.0.0.1:9',
    apiKey: 'k',
    apiSecret: 's'.repeat(32),
  });
  await expect(nobody.ensureRoom('r', '', [])).rejects.toMatchObject({ reason: 'unreachable' });
  const call = { room: 'r', identity: 'i', method: 'm', payload: '{}', timeoutMs: 100 };
  await expect(nobody.performRpc(call)).rejects.toMatchObject({ reason: 'unreachable' });
  const stranger = createSfuAdmin({ ...access, apiKey: 'k', apiSecret: 's'.repeat(32) });
  await expect(stranger.listParticipants('r')).rejects.toMatchObject({ reason: 'refused' });
});
