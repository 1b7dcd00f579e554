/** `npm run worker` next to a local platform: a real SFU, the real control service, the TypeScript client. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Room } from '@livekit/rtc-node';
import { AccessToken, AgentDispatchClient } from 'livekit-server-sdk';
import { describe, expect, it } from 'vitest';
import { connect, type PlatformSession, type SignControl } from '../../src/client/index.ts';
import { isAlive } from '../../src/control-service/process-lock.ts';
import type { LocalFile } from '../../src/launch/local-file.ts';
import { startSfu } from '../../src/launch/sfu.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { ROOM_STALE_AFTER_MS } from '../../src/protocol/wire/limits.ts';
import { layGround, of } from '../ground/ground.ts';
import { waitUntil, waitUntilGone } from '../launch/helpers/processes.ts';
import { STANDING } from '../runtime/rcw/rcw-runtime.ts';
import { runWorker, type WorkerProcess } from './helpers/worker-process.ts';

/** Its worker accepts unsigned calls, so that these tests are independent of the tests of signed control. */
const ground = layGround({ worker: { name: 'open', signedOnly: false } });

const openSession = (robotId: string, workerName = 'open', signControl: SignControl = 'auto') =>
  ground.openSession(robotId, { workerNames: [workerName], signControl });

const pidOf = async (worker: WorkerProcess, robotId: string): Promise<number> =>
  Number((await worker.logged('robot_starts', of(robotId))).pid);
// biome-ignore lint/suspicious/noExplicitAny: the part of the state that the worker profile adds.
const controlOf = async (session: PlatformSession): Promise<any> => (await robotOf(session)).extra.control;
const robotOf = async (session: PlatformSession) => (await session.state.get('robot_status')).robot;
const drive = (session: PlatformSession) => session.invoke('set_velocity' as string, { vx: 0.3 });
const halt = (session: PlatformSession) => session.invoke('stop' as string, {});
const pose = (session: PlatformSession) => session.invoke('set_upper_body' as string, { ...STANDING });

describe('a worker that a session asks for by its name', () => {
  it('joins the room as rcw-<robot_id>, drives until it is stopped, and reports that it draws no pictures', async () => {
    const robotId = await ground.newRobot();
    const session = await openSession(robotId);
    expect(session.runtimeIdentity).toBe(`rcw-${robotId}`);
    expect((await session.discoverSkills()).map(({ name }) => name)).toEqual([
      'set_velocity',
      'stop',
      'get_state',
      'set_upper_body',
    ]);
    expect(await session.state.get('manifest')).toMatchObject({ profile: 'worker', signed_control: false });
    expect(await drive(session)).toMatchObject({ status: 'done' });
    await waitUntil(async () => (await robotOf(session)).status === 'moving', 'the robot to move');
    expect(await halt(session)).toMatchObject({ status: 'done' });
    expect((await robotOf(session)).status).toBe('ready');
    const refused = session.getVision('pov');
    await expect(refused).rejects.toMatchObject({ code: 'UNKNOWN_CAMERA', message: expect.stringContaining('headless') });
    expect(await session.state.get('capabilities')).toMatchObject({ cameras: [], captures: { available: false } });
    expect((await session.state.get('robot_status')).runtime.accepts_capture_requests).toBe(false);
  });

  it('is free when the session is deleted, including its process, and takes the next job', async () => {
    const robotId = await ground.newRobot();
    await openSession(robotId);
    const pid = await pidOf(ground.worker, robotId);
    await ground.client.robots.deleteSession(robotId);
    expect(await ground.worker.logged('robot_over', of(robotId))).toMatchObject({ why: 'session_deleted' });
    await waitUntilGone(pid);
    expect((await openSession(robotId)).runtimeIdentity).toBe(`rcw-${robotId}`);
  });

  it('serves two robots at once: a stall of one does not affect the other', async () => {
    const [left, right] = [await ground.newRobot(), await ground.newRobot()];
    const sessions = [await openSession(left), await openSession(right)] as const;
    await drive(sessions[0]);
    const stalled = await pidOf(ground.worker, left);
    process.kill(stalled, 'SIGSTOP');
    // A shared process would answer nothing during this stall, which is longer than what counts as a freeze.
    const untilMs = performance.now() + 2_500;
    do expect(await pose(sessions[1])).toMatchObject({ status: 'done' });
    while (performance.now() < untilMs);
    process.kill(stalled, 'SIGCONT');
    // A process that was frozen does not continue to drive.
    await ground.worker.logged('robot_frozen', of(left));
    await waitUntil(async () => (await robotOf(sessions[0])).status === 'ready', 'the frozen robot to stand');
    expect((await controlOf(sessions[0])).velocity_holds).toBe(false);
  });

  it('keeps running when its client vanishes: arms go limp without packets, and others are served', async () => {
    const robotId = await ground.newRobot();
    const program = join(import.meta.dirname, 'helpers/vanishing-client.ts');
    const vanishing = spawn(process.execPath, ['--import', 'tsx', program, ground.platform.localFile, robotId, 'open'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    ground.later(async () => void vanishing.kill('SIGKILL'));
    for await (const line of createInterface({ input: vanishing.stdout })) if (line === 'streaming') break;
    const session = await openSession(robotId);
    // A busy machine may delay one packet longer than the arms wait; the next packet takes control of them again.
    await waitUntil(async () => (await controlOf(session)).upper_body.mode === 'trajectory', 'the arms to follow');
    vanishing.kill('SIGKILL');
    await waitUntil(async () => (await controlOf(session)).upper_body.mode === 'damp', 'the arms to go limp');
    expect(await halt(session)).toMatchObject({ status: 'done' });
  });

  it.each([
    ['was killed', 'SIGKILL'],
    ['ended in order', 'SIGTERM'],
  ] as const)('is there again when the SFU %s: registered, and with the same robot', async (_how, signal) => {
    const robotId = await ground.newRobot();
    const session = await openSession(robotId);
    const pid = await pidOf(ground.worker, robotId);
    await drive(session);
    const since = ground.worker.log.length;
    const sfuPid = ground.platform.sfuPid ?? 0;
    // After the first signal the worker waits until the last participant has left; after the second it ends.
    const isGone = () => {
      if (isAlive(sfuPid)) process.kill(sfuPid, signal);
      return !isAlive(sfuPid);
    };
    await waitUntil(isGone, 'the SFU to end', 60_000);
    await ground.worker.logged('registered', () => true, since);
    await ground.worker.logged('robot_joined', of(robotId), since);
    // A program may read an orderly end as the end of its room; it connects again.
    const next = signal === 'SIGTERM' ? await openSession(robotId) : session;
    await next.waitUntilReady({ timeoutMs: 60_000 });
    expect(await halt(next)).toMatchObject({ status: 'done' });
    expect([isAlive(pid), (await pidOf(ground.worker, robotId)) === pid]).toEqual([true, true]);
  });

  it('keeps a robot that joins again after a long silence, though the SFU takes its job back when it leaves', async () => {
    const robotId = await ground.newRobot();
    await openSession(robotId);
    const pid = await pidOf(ground.worker, robotId);
    const since = ground.worker.log.length;
    const sfuPid = ground.platform.sfuPid ?? 0;
    process.kill(sfuPid, 'SIGSTOP');
    try {
      await new Promise((resolve) => setTimeout(resolve, ROOM_STALE_AFTER_MS + 1_500));
    } finally {
      process.kill(sfuPid, 'SIGCONT');
    }
    // A busy machine may have kept the robot from counting the whole silence: then it stays and is heard again.
    await Promise.race(['robot_joined', 'robot_heard'].map((event) => ground.worker.logged(event, of(robotId), since)));
    // Twice as long as a robot whose job is taken back may keep running.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await halt(await openSession(robotId))).toMatchObject({ status: 'done' });
    expect([isAlive(pid), ground.worker.log.slice(since).filter(({ event }) => event === 'robot_over')]).toEqual([true, []]);
  });

  it('ends a robot whose room does not ask for a worker any more', async () => {
    const robotId = await ground.newRobot();
    const { roomName } = await openSession(robotId);
    const local = JSON.parse(readFileSync(ground.platform.localFile, 'utf8')) as LocalFile;
    const httpUrl = ground.platform.livekitUrl.replace(/^ws/, 'http');
    const orders = new AgentDispatchClient(httpUrl, local.livekit_api_key, local.livekit_api_secret);
    for (const { id } of await orders.listDispatch(roomName)) await orders.deleteDispatch(id, roomName);
    expect(await ground.worker.logged('robot_over', of(robotId))).toMatchObject({ why: 'ended' });
  });
});

it('a robot that cannot be reached stops automatically', async () => {
  const sfu = await startSfu({ port: 0, restart: false });
  ground.later(() => sfu.stop());
  const tokenFor = async (identity: string): Promise<string> => {
    const token = new AccessToken(sfu.apiKey, sfu.apiSecret, { identity, ttl: 600 });
    token.addGrant({ roomJoin: true, room: 'lonely', canPublishData: true, canSubscribe: true });
    return token.toJwt();
  };
  const key = encodeRoomKey({ sfuUrl: sfu.url, token: await tokenFor('rcw-lonely') });
  const worker = ground.runWorker([], { RCW_ROOM_KEY: key, RCW_RSL_REQUIRED: 'false' });
  // A body may be ready before its place in the room takes calls, and the other way round.
  await Promise.all([worker.logged('robot_ready', of('lonely')), worker.logged('robot_joined')]);
  const room = new Room();
  await room.connect(sfu.url, await tokenFor('client:a'), { autoSubscribe: false, dynacast: false });
  const payload = JSON.stringify({ name: 'set_velocity', input: { vx: 0.5 } });
  const call = { destinationIdentity: 'rcw-lonely', method: 'runtime.tools_call', payload };
  expect(JSON.parse((await room.localParticipant?.performRpc(call)) ?? '')).toMatchObject({ status: 'done' });
  await sfu.stop();
  expect(await worker.logged('robot_unreachable', of('lonely'))).toMatchObject({ stands: true });
  worker.child.kill('SIGTERM');
  expect(await worker.exit).toBe(0);
});

it('keeps a signed velocity running while a participant without a grant sends packets that are hard to read', async () => {
  const strict = ground.runWorker(['--name', 'flooded']);
  await strict.logged('registered');
  const robotId = await ground.newRobot();
  const session = await openSession(robotId, 'flooded');
  await drive(session);
  const place = await ground.client.robots.createParticipantToken(robotId, { participantIdentity: 'stranger' });
  const room = new Room();
  ground.later(() => room.disconnect());
  await room.connect(place.livekit_url, place.participant_token, { autoSubscribe: false, dynacast: false });
  const answers = Array.from({ length: 200 }, (_, nth) => {
    const method = nth % 2 === 0 ? 'runtime.tools_call' : 'runtime.forward_envelope';
    // Fifteen thousand bytes of an unterminated string.
    const payload = `"${'\\"'.repeat(7_600)}`;
    return room.localParticipant?.performRpc({ destinationIdentity: session.runtimeIdentity ?? '', method, payload });
  });
  for (const answer of await Promise.all(answers)) expect(JSON.parse(answer ?? '')).toMatchObject({ status: 'failed' });
  const { extra } = await robotOf(session);
  expect(extra).toMatchObject({ command: { vx: 0.3 }, control: { velocity_holds: true }, sim: { suspended_ms: 0 } });
  expect(strict.log.filter(({ event }) => event === 'robot_frozen')).toEqual([]);
  expect(await halt(session)).toMatchObject({ status: 'done' });
});

describe('the participants that may be a robot', () => {
  it('a second worker for the same robot is refused with an explanation, and the first keeps running', async () => {
    const robotId = await ground.newRobot();
    const session = await openSession(robotId);
    const second = ground.runWorker(['--name', 'second']);
    await second.logged('registered');
    await ground.client.robots.createSession(robotId, { workerNames: ['second'] });
    expect(await second.logged('job_refused', of(robotId))).toMatchObject({ message: expect.stringContaining('has its worker') });
    expect(await drive(session)).toMatchObject({ status: 'done' });
    second.child.kill('SIGINT');
    expect(await second.exit).toBe(0);
    expect(second.log.map(({ event }) => event)).not.toContain('robot_starts');
  });

  it('a worker that starts after a session has asked for it takes over its robot', async () => {
    const robotId = await ground.newRobot();
    await ground.client.robots.createSession(robotId, { workerNames: ['late'] });
    const late = ground.runWorker(['--name', 'late']);
    await late.logged('job_taken_up', of(robotId));
    const session = await openSession(robotId, 'late');
    expect(session.runtimeIdentity).toBe(`rcw-${robotId}`);
    late.child.kill('SIGTERM');
    expect(await late.exit).toBe(0);
  });

  it('signed control is on unless it is switched off', async () => {
    const strict = ground.runWorker(['--name', 'strict']);
    const robotId = await ground.newRobot();
    const session = await openSession(robotId, 'strict');
    expect(await session.state.get('manifest')).toMatchObject({ signed_control: true });
    const unsigned = await openSession(robotId, 'strict', false);
    await expect(drive(unsigned)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await drive(session)).toMatchObject({ status: 'done' });
    expect(await halt(session)).toMatchObject({ status: 'done' });
    expect(strict.log.map(({ event }) => event)).not.toContain('UNSIGNED_CONTROL');
    expect(ground.worker.log.map(({ event }) => event)).toContain('UNSIGNED_CONTROL');
    strict.child.kill('SIGTERM');
    expect(await strict.exit).toBe(0);
  });
});

it('P7: over HTTP no stop is lost and no velocity is in doubt, beside arm poses at 25 Hz and of 2 and of 16 callers', async () => {
  const strict = ground.runWorker(['--name', 'signed']);
  const robotId = await ground.newRobot();
  const session = await openSession(robotId, 'signed');
  const command = async (skill: string, parameters: object): Promise<[number, string | undefined]> => {
    const response = await fetch(`${ground.platform.rcsUrl}/v1/robots/${robotId}/session/command`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ground.platform.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ skill, parameters }),
    });
    const { status, code, error } = (await response.json()) as { status?: string; code?: string; error?: { code: string } };
    return [response.status, code ?? error?.code ?? status];
  };
  const isDone = [200, 'done'];
  const posing = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    // As many calls as a busy machine can answer.
    if (posing.size >= 8) return;
    const posed: Promise<unknown> = command('set_upper_body', STANDING).finally(() => posing.delete(posed));
    posing.add(posed);
  }, 40);
  try {
    for (let round = 0; round < 20; round += 1) {
      expect([round, ...(await command('set_velocity', { vx: round % 2 ? -0.2 : 0.2 }))]).toEqual([round, ...isDone]);
      const stop = round % 4 < 2 ? command('stop', {}) : command('set_velocity', { vx: 0 });
      expect([round, ...(await stop)]).toEqual([round, ...isDone]);
      expect([round, (await controlOf(session)).velocity_holds]).toEqual([round, false]);
    }
  } finally {
    clearInterval(timer);
    await Promise.all(posing);
  }
  for (const callers of [2, 16]) {
    const answers: [number, string | undefined][] = [];
    const driving = Array.from({ length: callers }, async (_, caller) => {
      for (let i = 0; i < 48 / callers; i += 1) answers.push(await command('set_velocity', { vyaw: caller % 2 ? 0.1 : -0.1 }));
    });
    await Promise.all(driving);
    // If an answer takes longer than a robot's, a newer velocity may overtake this one, and the caller learns it.
    expect(answers.filter(([status, code]) => code !== 'done' && `${status} ${code}` !== '409 command.overtaken')).toEqual([]);
    expect(await command('set_velocity', { vyaw: 0.2 })).toEqual(isDone);
    expect((await controlOf(session)).velocity_holds).toBe(true);
    expect(await command('stop', {})).toEqual(isDone);
    expect((await controlOf(session)).velocity_holds).toBe(false);
  }
  strict.child.kill('SIGTERM');
  expect(await strict.exit).toBe(0);
}, 300_000);

describe('the end of a worker', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('an end by %s leaves no moving robot and no process', async (signal) => {
    const worker = ground.runWorker(['--name', signal], { RCW_RSL_REQUIRED: 'false' });
    const robotId = await ground.newRobot();
    const session = await openSession(robotId, signal);
    const pid = await pidOf(worker, robotId);
    await drive(session);
    await waitUntil(async () => (await robotOf(session)).status === 'moving', 'the robot to move');
    worker.child.kill(signal);
    expect(await worker.logged('robot_stopped', of(robotId))).toMatchObject({ stands: true });
    expect(await worker.exit).toBe(0);
    await waitUntilGone(pid);
    await waitUntil(() => session.runtimeIdentity === null, 'the room to know', 30_000);
  });

  it('an end by SIGKILL ends its robots too', async () => {
    const worker = ground.runWorker(['--name', 'killed']);
    const robotId = await ground.newRobot();
    await openSession(robotId, 'killed');
    const pid = await pidOf(worker, robotId);
    worker.child.kill('SIGKILL');
    await waitUntilGone(pid);
  });
});

describe('a worker with a room key', () => {
  const keyFor = async (robotId: string, identity: string): Promise<string> => {
    const place = await ground.client.robots.createParticipantToken(robotId, { participantIdentity: identity });
    return encodeRoomKey({ sfuUrl: place.livekit_url, token: place.participant_token });
  };

  it('a worker with a room key is the robot of that room alone, and ends with its session', async () => {
    const robotId = await ground.newRobot();
    await ground.client.robots.createSession(robotId, { workerNames: [] });
    const key = await keyFor(robotId, `rcw-${robotId}`);
    const worker = ground.runWorker([], { RCW_ROOM_KEY: key });
    await worker.logged('robot_joined', of(robotId));
    const session = await connect(ground.client, robotId, { workerNames: [], rcwIdentityPrefix: 'rcw' });
    await session.waitUntilReady({ timeoutMs: 60_000 });
    // The session was open before the test, so it stays open.
    await session.disconnect({ keepSession: false });
    expect(await worker.exit).toBe(1);
    expect(worker.printed()).toContain('The session was deleted');
    expect(worker.printed()).not.toContain(key.slice(-40));
  });

  it.each([
    ['of a simulator', (id: string) => `simplesim:${id}`, 'The identity in this key is not rcw-<robot_id>'],
    ['of no robot', () => 'rcw', 'is not rcw-<robot_id>'],
  ])('%s is rejected with a full sentence', async (_what, identity, sentence) => {
    const robotId = await ground.newRobot();
    await ground.client.robots.createSession(robotId, { workerNames: [] });
    const key = await keyFor(robotId, identity(robotId));
    const worker = runWorker(['--key-from-stdin'], { SIMPLESIM_DATA_DIR: ground.dataDir }, `${key}\n`);
    expect(await worker.exit).toBe(1);
    expect(worker.printed()).toContain(sentence);
    expect(worker.printed()).not.toContain(key.slice(-40));
  });

  it('a worker leaves a room of another robot', async () => {
    const robotId = await ground.newRobot();
    await ground.client.robots.createSession(robotId, { workerNames: [] });
    const key = await keyFor(robotId, 'rcw-somebody-else');
    const worker = ground.runWorker([], { RCW_ROOM_KEY: key });
    expect(await worker.exit).toBe(1);
    expect(worker.log.find(({ event }) => event === 'robot_over')).toMatchObject({ why: 'wrong_robot' });
  });
});

it('no log contains a token or a key', () => {
  expect(ground.worker.printed()).not.toMatch(/\beyJ[\w-]+\.[\w-]+/);
  expect(ground.worker.printed()).not.toContain(ground.platform.apiKey);
});
