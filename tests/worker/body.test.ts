/** The body of a robot without its room: which callers may move it, and how it ends. */
import rapier from '@dimforge/rapier3d-compat';
import { afterEach, expect, it, vi } from 'vitest';
import { STEPS_PER_SECOND } from '../../src/protocol/wire/limits.ts';
import type { LogEntry } from '../../src/worker/log.ts';
import { type Body, createBody } from '../../src/worker/robot/body.ts';
import { checkRpcReply } from '../client-models/check.ts';
import { createForge, ROBOT, SESSION } from '../protocol/helpers/forge.ts';

/** A base that brakes and is slow enough to count as stopped slides less than this. */
const STOPPED_SLIDE_M = 0.002;

const BETWEEN_CALLS_MS = 5;

let body: Body;
afterEach(() => {
  vi.restoreAllMocks();
  body.dispose();
});

/** Creates a body that accepts calls. */
async function readyBody(signedOnly: boolean) {
  const log: LogEntry[] = [];
  await new Promise<void>((resolve) => {
    const place = { sfuUrl: 'ws://nowhere', token: '', room: SESSION, robotId: ROBOT };
    body = createBody(
      { place, seed: 1, productVersion: '0', signedOnly, worldsDir: null },
      (entry) => {
        log.push(entry);
        if (entry.event === 'robot_ready') resolve();
      },
      { report: () => undefined, sendWorld: () => undefined, sendJpeg: async () => undefined, nameOf: () => null },
    );
  });
  let calls = 0;
  const ask = async (method: string, payload: object) => {
    calls += 1;
    // A robot takes 500 calls a second from one caller, which a fast machine exceeds; the body steps meanwhile.
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_CALLS_MS));
    return checkRpcReply(
      method,
      await body.handle({ requestId: `${calls}`, method, payload: JSON.stringify(payload), callerIdentity: 'client' }),
    );
  };
  const drive = () => ask('runtime.tools_call', { name: 'set_velocity', input: { vx: 0.3 } });
  const velocityHolds = async (): Promise<boolean> => (await ask('runtime.state', {})).robot.extra.control.velocity_holds;
  // A body takes no command before its first step.
  while ((await ask('runtime.state', {})).timestamp.step === 0);
  return { log, ask, drive, velocityHolds };
}

it('keeps the robot stopped while a client streams on, until the robot is reachable again', async () => {
  const { ask, drive, velocityHolds } = await readyBody(false);
  const seen: { braking: boolean; code: string | undefined }[] = [];
  let braking = false;
  const stream = setInterval(async () => {
    const sent = braking;
    seen.push({ braking: sent, code: (await drive()).error?.code });
  }, 20);
  try {
    while (!(await velocityHolds())) await drive();
    braking = true;
    expect(await body.brake('the worker, which lost its room')).toBe(true);
    const before = seen.length;
    while (seen.length < before + 10) expect(await velocityHolds()).toBe(false);
    expect(await ask('runtime.cancel', { action_id: 'active' })).toMatchObject({ error: { code: 'NOT_READY' } });
    expect(await ask('runtime.scene_state', {})).not.toHaveProperty('error');
    expect(new Set(seen.filter((call) => call.braking).map(({ code }) => code))).toEqual(new Set(['NOT_READY']));
    // The client's own velocities would replace this one.
    clearInterval(stream);
    body.open();
    expect(await drive()).toMatchObject({ status: 'done' });
  } finally {
    clearInterval(stream);
  }
});

/** Returns the position of the base in the world at this step. */
const placeOf = ({ robot, timestamp }: { robot: { pose: { position: number[] } }; timestamp: { step: number } }) => ({
  x: robot.pose.position[0] ?? 0,
  y: robot.pose.position[1] ?? 0,
  step: timestamp.step,
});

it.each([
  ['that is unreachable', false],
  ['whose process ends', true],
])('a robot %s does not move after it is reported as stopped', async (_which, forGood) => {
  const { ask } = await readyBody(false);
  const place = async () => placeOf(await ask('runtime.state', {}));
  const from = await place();
  for (let at = from; Math.hypot(at.x - from.x, at.y - from.y) < 0.25; at = await place()) {
    await ask('runtime.tools_call', { name: 'set_velocity', input: { vx: 1.2 } });
  }
  // On a busy machine the stop may take longer than `brake` waits.
  while (!(await body.brake('the worker, which lost its room', forGood)));
  const said = await place();
  let later = said;
  // Longer than the robot takes to stop from any of its speeds.
  while (later.step < said.step + STEPS_PER_SECOND) later = await place();
  expect(Math.hypot(later.x - said.x, later.y - said.y)).toBeLessThan(STOPPED_SLIDE_M);
});

it('logs which participant commanded the robot and which one cancelled the command', async () => {
  const { log, ask } = await readyBody(false);
  const pose = { r_arm: [0, 0, 0, 0, 0], l_arm: [0, 0, 0, 0, 0] };
  // A busy machine may find the body late (NOT_READY).
  while (!log.some(({ event }) => event === 'robot_cancelled')) {
    await Promise.all([
      ask('runtime.tools_call', { name: 'set_upper_body', input: pose }),
      ask('runtime.cancel', { options: { action_id: 'cancel-active' } }),
    ]);
  }
  const facts = { skill: 'set_upper_body', caller: 'client', caller_kind: 'participant' };
  const reported = log.filter(({ skill }) => skill === 'set_upper_body');
  expect(reported).toMatchObject([
    { event: 'robot_commanded', ...facts },
    { event: 'robot_cancelled', ...facts },
  ]);
});

it('a body that is closed for good cannot be opened again', async () => {
  const { drive } = await readyBody(false);
  await body.brake('the worker, which ends', true);
  await body.brake('the worker, which lost its room');
  body.open();
  expect(await drive()).toMatchObject({ error: { code: 'NOT_READY' } });
});

it('does not execute a signed velocity that is still being checked when the robot brakes', async () => {
  const { ask, velocityHolds } = await readyBody(true);
  const nowS = Date.now() / 1_000;
  const forge = createForge();
  body.trust(forge.trusted);
  const grant = forge.grant({ iat: nowS - 1, exp: nowS + 600 });
  const sealed = (seq: number) => {
    const call = { method: 'runtime.tools_call', payload: { name: 'set_velocity', input: { vx: 0.3 } } };
    const iat = Date.now() / 1_000;
    return ask('runtime.forward_envelope', { envelope: forge.envelope({ seq, iat, exp: iat + 4, call, grant }) });
  };
  expect(await sealed(1)).toMatchObject({ status: 'done' });
  const late = sealed(2);
  const standing = body.brake('the worker, which lost its room');
  expect(await late).toMatchObject({ error: { code: 'NOT_READY' } });
  expect(await velocityHolds()).toBe(false);
  await standing;
});

it('a fault of the physics ends the body, because it can no longer move', async () => {
  const { log } = await readyBody(false);
  const pipeline = new rapier.PhysicsPipeline();
  vi.spyOn(Object.getPrototypeOf(pipeline.raw) as typeof pipeline.raw, 'step').mockImplementation(() => {
    throw new Error('unreachable');
  });
  pipeline.free();
  await expect(body.over).rejects.toThrow('unreachable');
  expect(log.map(({ event }) => event)).toContain('robot_fault');
});
