import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { type LocalParticipant, Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client, type ConnectOptions, connect, type PlatformSession } from '../../src/client/index.ts';
import { leaveRoom } from '../../src/client/internal/transport/node-transport.ts';
import { type Sfu, startSfu } from '../../src/launch/sfu.ts';
import { CAPTURE_TOPIC } from '../../src/protocol/wire/limits.ts';
import { fakeFetch, SESSION } from './helpers/fake-fetch.ts';
import { joinScriptedRuntime, type ScriptedRuntime } from './helpers/scripted-runtime.ts';

/** The client in Node over a real SFU, against a scripted runtime. */

let sfu: Sfu;
let roomNumber = 0;
const leaves: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sfu = await startSfu({ port: 0 });
}, 240_000);
afterAll(() => sfu.stop());
afterEach(async () => {
  for (const leave of leaves.splice(0).reverse()) await leave();
});

async function tokenFor(identity: string, room: string): Promise<string> {
  const token = new AccessToken(sfu.apiKey, sfu.apiSecret, { identity, ttl: 600 });
  token.addGrant({ roomJoin: true, room, canPublishData: true, canSubscribe: true });
  return token.toJwt();
}

async function openSession(room: string, options: ConnectOptions = {}): Promise<PlatformSession> {
  const body = { ...SESSION, room_name: room, livekit_url: sfu.url, participant_token: await tokenFor('client:1', room) };
  const { fetch } = fakeFetch({ body }, { status: 204 });
  const session = await connect(new Client({ apiKey: 'sk_live_test', fetch }), 'r1', { workerNames: [], ...options });
  leaves.push(() => session.disconnect());
  return session;
}

async function openRuntime(room: string, goToMs?: number): Promise<ScriptedRuntime> {
  const options = goToMs === undefined ? {} : { goToMs };
  const runtime = await joinScriptedRuntime(sfu.url, await tokenFor('simplesim:r1', room), options);
  leaves.push(runtime.leave);
  return runtime;
}

/** A participant in the room, joined with LiveKit’s own package. */
async function enterAs(identity: string, room: string): Promise<LocalParticipant> {
  const sdk = new Room();
  leaves.push(async () => void (await leaveRoom(sdk)));
  await sdk.connect(sfu.url, await tokenFor(identity, room), { autoSubscribe: false, dynacast: false });
  return sdk.localParticipant as LocalParticipant;
}

async function both(goToMs?: number): Promise<{ session: PlatformSession; runtime: ScriptedRuntime }> {
  const room = `room-${++roomNumber}`;
  const runtime = await openRuntime(room, goToMs);
  const session = await openSession(room);
  await session.waitUntilReady({ timeoutMs: 10_000 });
  return { session, runtime };
}

const pad = { target: { kind: 'entity', entity_id: 'pad_B' } } as const;

describe('a session over a real SFU', () => {
  it('a session over a real SFU finds the skills, runs one, and reads the states', async () => {
    const { session } = await both();
    expect((await session.discoverSkills()).map(({ name }) => name)).toContain('pick_entity');
    expect(await session.invoke('set_head', { yaw: 0.2 })).toMatchObject({ status: 'done', result: { measured: { yaw: 0.2 } } });
    expect((await session.state.get('robot_status')).robot.held_entity_ids).toEqual([]);
    expect(Object.keys((await session.scene()).entities)).toContain('cube_0');
    await expect(session.invoke('fly' as string, {})).rejects.toMatchObject({ code: 'UNKNOWN_SKILL' });
    await expect(session.call('runtime.nothing')).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
  });

  it('a session over a real SFU waits for a runtime that joins later', async () => {
    const room = `room-${++roomNumber}`;
    const joined: string[] = [];
    const session = await openSession(room, { callbacks: { onRuntimeJoined: (identity) => void joined.push(identity) } });
    await expect(session.scene()).rejects.toMatchObject({ code: 'NOT_READY' });
    const ready = session.waitUntilReady({ timeoutMs: 20_000 });
    await openRuntime(room);
    await ready;
    expect(joined).toEqual(['simplesim:r1']);
  });

  it('a cancel half way returns the same end to both calls', async () => {
    const { session } = await both();
    const going = session.invoke('go_to', pad, { actionId: 'walk' });
    await expect
      .poll(() => session.state.get('action', { action_id: 'walk' }).catch(() => null))
      .toMatchObject({ status: 'running' });
    const cancelled = await session.cancelAction('walk');
    expect(cancelled).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' }, meta: { action_id: 'walk' } });
    expect(await going).toEqual(cancelled);
  });

  it('P5: finds a lost reply again, and the action ran once', async () => {
    const { session, runtime } = await both(500);
    runtime.loseReplies('runtime.tools_call', 1);
    expect(await session.invoke('go_to', pad)).toMatchObject({ status: 'done' });
    expect(runtime.executions()).toBe(1);
  });

  it('P14: receives a picture whose bytes are checked, several at once too', async () => {
    const { session, runtime } = await both();
    const visions = await Promise.all([session.getVision('pov'), session.getVision('pov', { quality: 0.5 })]);
    for (const vision of visions) expect([vision.jpeg.length, vision.verified]).toEqual([60_000, 'sha256']);
    runtime.corruptPictures(true);
    await expect(session.getVision('pov')).rejects.toMatchObject({ code: 'CAPTURE_FAILED' });
    await expect(session.getVision('back')).rejects.toMatchObject({ code: 'UNKNOWN_CAMERA' });
  });

  it('streams that others open and never end cost a session nothing', async () => {
    const { session, runtime } = await both();
    const stranger = await enterAs('stranger', session.roomName);
    const sdk = (globalThis as { _ffiClientInstance?: { listenerCount(event: string): number } })._ffiClientInstance;
    const listeners = () => sdk?.listenerCount('ffi_event') ?? 0;
    runtime.loseReplies('runtime.cameras_capture', 1);
    const abandon = new AbortController();
    const abandoned = session.getVision('pov', { signal: abandon.signal }).catch((error: unknown) => error);
    const before = listeners();
    const streams = 100;
    for (let n = 0; n < streams; n += 1) await stranger.streamBytes({ topic: CAPTURE_TOPIC, name: `s${n}` });
    // Messages of one participant arrive in their order; a client has no methods.
    const call = { destinationIdentity: 'client:1', method: 'x', payload: '', responseTimeout: 30_000 };
    await expect(stranger.performRpc(call)).rejects.toMatchObject({ code: 1400 });
    expect(listeners() - before).toBeLessThan(streams / 2);
    expect((await session.getVision('pov')).jpeg).toHaveLength(60_000);
    abandon.abort(new Error('enough'));
    expect(await abandoned).toMatchObject({ message: 'enough' });
  });

  it('replies of any size end their calls with their outcome, and other calls continue', async () => {
    const room = `room-${++roomNumber}`;
    const runtime = await enterAs('simplesim:r1', room);
    runtime.registerRpcMethod('runtime.tools_list', async () => '[]');
    runtime.registerRpcMethod('runtime.scene_state', async () => '['.repeat(2_000_000));
    runtime.registerRpcMethod('runtime.scene_layout', async () => ' '.repeat(20_000_000));
    const session = await openSession(room);
    await session.waitUntilReady({ timeoutMs: 20_000 });
    await expect(session.scene()).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message: expect.stringMatching(/2000000/) });
    // Not decompressed at all.
    await expect(session.layout()).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await session.discoverSkills()).toEqual([]);
  });

  it('a runtime that leaves during a read is noticed, and the read continues when it is back', async () => {
    const { session, runtime } = await both();
    await runtime.leave();
    await expect.poll(() => session.runtimeIdentity).toBeNull();
    await expect(session.scene()).rejects.toMatchObject({ code: 'NOT_READY' });
    const ready = session.waitUntilReady({ timeoutMs: 60_000 });
    await openRuntime(session.roomName);
    await ready;
    expect((await session.scene()).entities).toHaveProperty('cube_0');
  });

  it('the end of the room ends every waiting call', async () => {
    const { session } = await both();
    const going = session.invoke('go_to', pad);
    going.catch(() => {});
    const { RoomServiceClient } = await import('livekit-server-sdk');
    await new RoomServiceClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret).deleteRoom(session.roomName);
    await expect(going).rejects.toThrow(/has ended \(room deleted\)/);
  });

  it('reports the progress of an action while it runs', async () => {
    const { session } = await both(1_000);
    const phases: string[] = [];
    const walk = session.start('go_to', pad);
    for await (const event of walk) phases.push(event.phase);
    expect(phases).toEqual(['accepted', 'running', 'done']);
    expect(await walk.result).toMatchObject({ status: 'done', result: { path_m: 1 } });
  });

  it('a program ends automatically when its last session is left', async () => {
    const env = { ...process.env, SFU_URL: sfu.url, TOKEN: await tokenFor('client:1', `room-${++roomNumber}`) };
    const program = join(import.meta.dirname, 'helpers/short-program.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    leaves.push(async () => void child.kill('SIGKILL'));
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  });

  it('leaving ends although LiveKit never answers, and waits for the answer although the event comes first', async () => {
    vi.useFakeTimers();
    const room = Object.assign(new EventEmitter(), { disconnect: () => new Promise<void>(() => {}) });
    for (const [event, afterMs] of [
      [null, 5_000],
      ['disconnected', 1_000],
    ] as const) {
      const left = leaveRoom(room as unknown as Room);
      if (event) room.emit(event);
      await vi.advanceTimersByTimeAsync(afterMs);
      expect(await left).toBe(false);
    }
    room.disconnect = async () => {};
    expect(await leaveRoom(room as unknown as Room)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('a refused token is an error that does not show it', async () => {
    const token = `${await tokenFor('client:1', 'x')}x`;
    const body = { ...SESSION, livekit_url: sfu.url, participant_token: token };
    const { fetch, seen } = fakeFetch({ body }, { status: 204 });
    const refused = connect(new Client({ apiKey: 'sk_live_test', fetch }), 'r1');
    await expect(refused).rejects.toMatchObject({ name: 'PlatformConnectionError', message: expect.not.stringContaining(token) });
    expect(seen.length).toBeGreaterThan(0);
  });
});
