import { Room, RoomEvent } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createSfuAdmin, type SfuAdmin } from '../../src/control-service/sfu-admin.ts';
import { type Sfu, startSfu } from '../../src/launch/sfu.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let sfu: Sfu;
let admin: SfuAdmin;
let service: TestService;
let robotId: string;
const rooms: Room[] = [];

beforeAll(async () => {
  sfu = await startSfu({ port: 0 });
  admin = createSfuAdmin({ participantUrl: sfu.url, httpUrl: sfu.httpUrl, apiKey: sfu.apiKey, apiSecret: sfu.apiSecret });
  service = await startTestService();
  await service.reset();
  // Tokens are checked by a real SFU, whose clock is not the test's.
  service.clock.advanceMs(Date.now() - service.clock.nowMs());
  service.deps.sfu = admin;
  const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
  robotId = created.body.result.id;
}, 300_000);
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.disconnect();
});
afterAll(async () => {
  await service.close();
  await sfu.stop();
});

const session = () => service.send('POST', `/rcs/v1/robots/${robotId}/session`, { body: { worker_names: [] } });
const command = (body: object) => service.send('POST', `/rcs/v1/robots/${robotId}/session/command`, { body });

async function join(identity: string, handle?: (payload: string) => Promise<string>): Promise<Room> {
  const path = `/rcs/v1/robots/${robotId}/session/participant-token`;
  const { body } = await service.send('POST', path, { body: { participant_identity: identity } });
  const room = new Room();
  rooms.push(room);
  await room.connect(body.livekit_url, body.participant_token, { autoSubscribe: true, dynacast: false });
  if (handle) room.localParticipant?.registerRpcMethod('runtime.tools_call', (data) => handle(data.payload));
  return room;
}

it('a session is a room that people join with its tokens, and its end puts them out', async () => {
  await session();
  const viewer = await join(`simplesim:${robotId}`);
  await join('client:a');
  expect((await admin.listIdentities(`robot-${robotId}`)).sort()).toEqual(['client:a', `simplesim:${robotId}`]);
  const out = new Promise<void>((resolve) => viewer.once(RoomEvent.Disconnected, () => resolve()));
  expect((await service.send('DELETE', `/v1/robots/${robotId}/session`)).status).toBe(204);
  await out;
  expect(await admin.listIdentities(`robot-${robotId}`)).toEqual([]);
});

it('P5: a command that takes longer than LiveKit waits is carried out once and its result comes back', async () => {
  await session();
  const running = new Map<string, Promise<string>>();
  let calls = 0;
  await join(`simplesim:${robotId}`, (payload) => {
    calls += 1;
    const { options } = JSON.parse(payload);
    const meta = { action_id: options.action_id, started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
    const known = running.get(options.action_id);
    if (known) return known;
    const ended = new Promise<string>((resolve) => {
      setTimeout(() => resolve(JSON.stringify({ status: 'done', result: { runs: running.size }, meta })), 6_000);
    });
    running.set(options.action_id, ended);
    return ended;
  });
  const answer = await command({ skill: 'go_to', parameters: {} });
  expect(answer).toMatchObject({ status: 200, body: { status: 'done', result: { runs: 1 } } });
  expect(calls).toBeGreaterThan(1);
}, 60_000);

it('a command without a runtime, or to one that does not know the method, is refused by name', async () => {
  await session();
  expect(await command({ skill: 'go_to' })).toMatchObject({ status: 409, body: { code: 'runtime.not_present' } });
  await join(`simplesim:${robotId}`);
  expect(await command({ skill: 'go_to' })).toMatchObject({ status: 502, body: { code: 'runtime.call_failed' } });
});

it('an SFU that does not answer is told by its own error', async () => {
  const nobody = createSfuAdmin({
    participantUrl: 'ws://127.0.0.1:9',
    httpUrl: 'http://127.0.0.1:9',
    apiKey: 'k',
    apiSecret: 's'.repeat(32),
  });
  await expect(nobody.ensureRoom('r', '', [])).rejects.toMatchObject({ reason: 'unreachable' });
  const call = { room: 'r', identity: 'i', method: 'm', payload: '{}', timeoutMs: 100 };
  await expect(nobody.performRpc(call)).rejects.toMatchObject({ reason: 'unreachable' });
  const stranger = createSfuAdmin({ participantUrl: sfu.url, httpUrl: sfu.httpUrl, apiKey: 'k', apiSecret: 's'.repeat(32) });
  await expect(stranger.listIdentities('r')).rejects.toMatchObject({ reason: 'refused' });
});
