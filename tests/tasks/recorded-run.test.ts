import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import RAPIER from '@dimforge/rapier3d-compat';
import { afterEach, expect, test } from 'vitest';
import { PROOF_STEPS_MAX, type ProofFile, proofInputsMax } from '../../src/protocol/files/proof-file.ts';
import { Scenes } from '../../src/simulation/scene.ts';
import { stateHash } from '../../src/simulation/world.ts';
import { proofPayload, proofText, readProof, seal } from '../../src/tasks/proof-text.ts';
import { createReplay } from '../../src/tasks/replay.ts';
import { createDigests, digestsEverySteps } from '../../src/tasks/run-log.ts';
import { verifyProof } from '../../src/tasks/verify-proof.ts';
import { seeded } from '../oracle/chance.ts';
import { playOn } from '../promises/replay-agent.ts';
import { scenesOf } from '../runtime/own-scenes.ts';
import { createRunStage, proofOf, type RunStage } from './run-stage.ts';

const stages: RunStage[] = [];
const made = async (...options: Parameters<typeof createRunStage>) => {
  const stage = await createRunStage(...options);
  stages.push(stage);
  return stage;
};
afterEach(() => {
  for (const { runtime } of stages.splice(0)) runtime.dispose();
});

const turn = { name: 'set_velocity', input: { wz: 0.4, duration_s: 5 } };
const go = (x: number, y: number) => ({ name: 'go_to', input: { target: { kind: 'pose', pose: { position: [x, y, 0] } } } });

test.each([11, 12, 13])('the run of a playful agent re-simulates to the hash of each step, seed %i', async (seed) => {
  const stage = await made({ seed });
  playOn(stage, seed, 1_200);
  const proof = proofOf(stage);
  const replay = createReplay(RAPIER, { proof, scenes: new Scenes(), worldSeed: proof.seed });
  const hashes: string[] = [];
  while (replay.step()) hashes.push(stateHash(replay.world()));
  replay.dispose();
  expect(hashes).toEqual(stage.hashes);
  expect(replay.difference()).toBeNull();
  expect(verifyProof(RAPIER, proofText(proof))).toMatchObject({ is: 'true', steps: 1_200 });
});

test('a run with reads, pictures, rejected calls and a trembling clock is the same run, with the same proof except for the time', async () => {
  const [plain, disturbed] = [await made(), await made()];
  const random = seeded(5);
  const story = (stage: RunStage, disturb: () => void): void => {
    stage.call({ method: 'runtime.tools_call', payload: turn, caller: 'agent' });
    for (let step = 0; step < 240; step += 1) {
      disturb();
      stage.step();
    }
    stage.call({ method: 'runtime.cancel', payload: {}, caller: 'agent' });
    for (let step = 0; step < 120; step += 1) stage.step();
  };
  story(plain, () => {});
  disturbed.nowMs += 86_400_000;
  story(disturbed, () => {
    disturbed.pace = random() * 2;
    if (random() < 0.1) disturbed.call({ method: 'runtime.state', payload: {}, caller: 'onlooker' });
    if (random() < 0.05)
      disturbed.call({ method: 'runtime.cameras_capture', payload: { selector: { kind: 'id', id: 'pov' } }, caller: 'onlooker' });
    // Busy with the turn, unknown, and invalid JSON: none of them changes anything.
    if (random() < 0.05) disturbed.call({ method: 'runtime.tools_call', payload: go(0, 0), caller: 'other' });
    if (random() < 0.05) disturbed.call({ method: 'runtime.tools_call', payload: { name: 'fly' }, caller: 'other' });
  });
  expect(disturbed.hashes).toEqual(plain.hashes);
  const { started_at_ms: _, sha256: __, ...mine } = proofOf(disturbed);
  const { started_at_ms: ___, sha256: ____, ...theirs } = proofOf(plain);
  expect(mine).toEqual(theirs);
});

test('a look at the world before the first step does not start the clock of the run', async () => {
  const stage = await made();
  stage.runtime.sceneState(0);
  stage.nowMs += 1_790_000_000_000;
  stage.call({ method: 'runtime.tools_call', payload: turn, caller: 'agent' });
  for (let step = 0; step < 24; step += 1) stage.step();
  const proof = proofOf(stage);
  expect(proof.inputs.filter(([, kind]) => kind === 'clock')).toEqual([]);
  expect(verifyProof(RAPIER, proofText(proof))).toMatchObject({ is: 'true' });
});

test('stalls, a pause, a lease that runs out, an order of the owner and the emergency stop re-simulate', async () => {
  const stage = await made({ lifeId: 'life' });
  const steps = (count: number): void => {
    for (let step = 0; step < count; step += 1) stage.step();
  };
  const call = (name: string, input: unknown, caller = 'agent') =>
    stage.call({ method: 'runtime.tools_call', payload: { name, input, options: { deadline_s: 4 } }, caller });
  const control = (action: string, caller: string) => stage.call({ method: 'runtime.control', payload: { action }, caller });
  control('take', 'agent');
  call('go_to', go(-1, -2).input);
  steps(200);
  stage.nowMs += 3_000;
  steps(200);
  stage.nowMs += 2_500;
  stage.runtime.noteSuspended(2_500, stage.nowMs);
  steps(100);
  // The driver only reads, and so stays the driver for longer than it may be silent.
  for (let second = 0; second < 15; second += 1) {
    stage.call({ method: 'runtime.state', payload: {}, caller: 'agent' });
    steps(120);
  }
  const driver = () => stage.runtime.state(stage.nowMs).robot.extra.driver?.identity ?? null;
  expect(driver()).toBe('agent');
  call('set_velocity', { vx: 0.4, duration_s: 30 });
  steps(1_150);
  expect(driver()).toBe('agent');
  steps(60);
  expect(driver()).toBeNull();
  const ticket = stage.runtime.state(stage.nowMs).robot.extra.owner_orders?.ticket ?? '';
  stage.runtime.obeyOwner({ order_id: 'o1', ticket, driver: { identity: 'guest', kind: 'person' } }, stage.nowMs);
  expect(driver()).toBe('guest');
  call('set_velocity', { wz: 0.5, duration_s: 3 }, 'guest');
  steps(60);
  stage.runtime.noteLeft('guest', stage.nowMs);
  steps(30);
  call('set_velocity', { vx: 0.5, duration_s: 5 });
  steps(60);
  stage.runtime.emergencyStop(stage.nowMs, { kind: 'service', name: 'over HTTP' }, { reason: 'a test', pressId: 'p1' });
  steps(60);
  call('set_velocity', { vx: 0.5, duration_s: 5 });
  stage.runtime.releaseEmergencyStop(stage.nowMs);
  call('set_velocity', { vx: 0.5, duration_s: 5 });
  steps(30);
  stage.runtime.cancelActive(stage.nowMs, { kind: 'page' });
  steps(60);
  const text = proofText(proofOf(stage));
  const verified = verifyProof(RAPIER, text);
  expect(verified).toMatchObject({ is: 'true' });
  expect(proofOf(stage).inputs.map(([, kind]) => kind)).toEqual(
    expect.arrayContaining(['call', 'heard', 'clock', 'suspended', 'left', 'owner_order', 'stop', 'emergency_stop', 'released']),
  );
});

test('an agent in the browser remains another caller than the person at its page when the run is repeated', async () => {
  const stage = await made({ sceneId: 'hall' });
  const call = (method: string, payload: object, mark?: 'agent') =>
    stage.runtime.handle(
      { requestId: 'page', method, payload: JSON.stringify(payload), callerIdentity: null, mark, nowMs: stage.nowMs },
      () => undefined,
    );
  const drive = { name: 'set_velocity', input: { vx: 0.4, duration_s: 5 } };
  const steps = (count: number): void => {
    for (let step = 0; step < count; step += 1) stage.step();
  };
  call('runtime.control', { action: 'take' }, 'agent');
  call('runtime.tools_call', drive, 'agent');
  steps(60);
  call('runtime.tools_call', drive);
  call('runtime.control', { action: 'take' });
  steps(60);
  call('runtime.tools_call', drive, 'agent');
  call('runtime.tools_call', { name: 'set_velocity', input: { wz: 0.4, duration_s: 1 } });
  steps(60);
  expect(stage.runtime.state(stage.nowMs).robot.extra.driver).toMatchObject({ identity: null, kind: 'person' });
  const proof = proofOf(stage);
  expect(proof.callers).toEqual([{ identity: null, agent: true }, { identity: null }]);
  expect(verifyProof(RAPIER, proofText(proof))).toMatchObject({ is: 'true' });
});

test.each([1, 2, 3, 4])(
  'a driver that is heard only occasionally loses the lease at the same step when the run is repeated, seed %i',
  async (seed) => {
    const random = seeded(seed);
    const stage = await made({ sceneId: 'hall' });
    const command = (name: string, input: unknown) =>
      stage.call({ method: 'runtime.tools_call', payload: { name, input }, caller: 'driver' });
    let lost = 0;
    for (let round = 0; round < 15; round += 1) {
      stage.call({ method: 'runtime.control', payload: { action: 'take' }, caller: 'driver' });
      command('set_velocity', { wz: 0.3, duration_s: 30 });
      const calls = Math.floor(random() * 8);
      for (let turn = 0; turn < calls; turn += 1) {
        // Mostly within a second, sometimes as long as a driver may be silent, and occasionally longer.
        const waits = random() < 0.6 ? random() * 150 : random() < 0.7 ? random() * 1_190 : 1_195 + random() * 20;
        for (let step = 0; step < waits; step += 1) stage.step();
        const kind = random();
        if (kind < 0.6) stage.call({ method: 'runtime.state', payload: {}, caller: 'driver' });
        else if (kind < 0.8) command('set_head', { yaw: 9 });
        else command('set_velocity', { wz: random() - 0.5, duration_s: 30 });
        if (random() < 0.3) stage.call({ method: 'runtime.state', payload: {}, caller: 'onlooker' });
        if (random() < 0.1) stage.call({ method: 'runtime.cancel', payload: {}, caller: 'onlooker' });
      }
      if (!stage.runtime.state(stage.nowMs).robot.extra.driver) lost += 1;
    }
    expect(lost).toBeGreaterThan(0);
    expect(verifyProof(RAPIER, proofText(proofOf(stage)))).toMatchObject({ is: 'true' });
  },
);

test('an id that the run made names the same action when the run is repeated', async () => {
  const stage = await made();
  let actionId = '';
  stage.call({ method: 'runtime.cameras_capture', payload: { selector: { kind: 'id', id: 'pov' } }, caller: 'onlooker' });
  stage.call({ method: 'runtime.tools_call', payload: turn, caller: 'agent' }, (reply) => {
    actionId = (reply as { meta: { action_id: string } }).meta.action_id;
  });
  for (let step = 0; step < 240; step += 1) stage.step();
  const active = stage.runtime.state(stage.nowMs).runtime.active_action?.action_id ?? '';
  stage.call({ method: 'runtime.cancel', payload: { options: { action_id: active } }, caller: 'agent' });
  for (let step = 0; step < 240; step += 1) stage.step();
  expect(actionId).toBe(active);
  expect(stage.ends).toContain('set_velocity CANCELLED');
  expect(verifyProof(RAPIER, proofText(proofOf(stage)))).toMatchObject({ is: 'true' });
});

test('a rejected call takes no id from the calls after it, so that an id names the same action when the run is repeated', async () => {
  const stage = await made();
  let actionId = '';
  // The payload is valid, and the scene is unknown: it is rejected after its id was made.
  stage.call({ method: 'runtime.tools_call', payload: { name: 'reset', input: { scene_id: 'nowhere' } }, caller: 'agent' });
  stage.call({ method: 'runtime.tools_call', payload: turn, caller: 'agent' });
  stage.step();
  actionId = stage.runtime.state(stage.nowMs).runtime.active_action?.action_id ?? '';
  stage.call({ method: 'runtime.cancel', payload: { options: { action_id: actionId } }, caller: 'agent' });
  for (let step = 0; step < 120; step += 1) stage.step();
  expect(stage.ends).toContain('set_velocity CANCELLED');
  expect(verifyProof(RAPIER, proofText(proofOf(stage)))).toMatchObject({ is: 'true' });
});

test('a cancelled picture and a second press of the emergency stop leave no trace in the proof', async () => {
  const stage = await made();
  stage.call({ method: 'runtime.cameras_capture', payload: { selector: { kind: 'id', id: 'pov' } }, caller: 'onlooker' });
  stage.call({ method: 'runtime.cancel', payload: {}, caller: 'onlooker' });
  for (let press = 0; press < 2; press += 1) {
    stage.call({ method: 'runtime.emergency_stop', payload: {}, caller: 'agent' });
    for (let step = 0; step < 60; step += 1) stage.step();
  }
  const proof = proofOf(stage);
  expect(proof.calls.map(({ method }) => method)).toEqual(['runtime.emergency_stop']);
  expect(proof.inputs).toHaveLength(1);
  expect(verifyProof(RAPIER, proofText(proof))).toMatchObject({ is: 'true' });
});

test('a payload that JSON cannot represent without a change is kept as the text that came', async () => {
  const sent = '{"name":"set_velocity","input":{"vx":-0,"wz":0.4,"duration_s":1}}';
  expect(proofPayload(sent)).toEqual({ text: sent });
  expect(proofPayload('{"a":1e999}')).toEqual({ text: '{"a":1e999}' });
  expect(proofPayload('{"a":1}')).toEqual({ payload: { a: 1 } });
  expect(proofPayload('')).toEqual({});
  const stage = await made();
  const call = { requestId: 'r', method: 'runtime.tools_call', payload: sent, callerIdentity: 'agent', nowMs: stage.nowMs };
  stage.runtime.handle(call, () => undefined);
  for (let step = 0; step < 120; step += 1) stage.step();
  const proof = proofOf(stage);
  expect(proof.calls).toEqual([{ method: 'runtime.tools_call', text: sent, caller: 0 }]);
  expect(verifyProof(RAPIER, proofText(proof))).toMatchObject({ is: 'true' });
});

/** A call as it reaches a runtime, with any text and from any caller. */
const handled = (stage: RunStage, method: string, payload: string, callerIdentity: string): void =>
  stage.runtime.handle({ requestId: 'r', method, payload, callerIdentity, nowMs: stage.nowMs }, () => undefined);

/** Calls of bystanders that no robot carries out. */
const FROM_BYSTANDERS: [what: string, send: (stage: RunStage) => void][] = [
  ['20 kB of JSON that is not exact', (stage) => handled(stage, 'runtime.cancel', `{"a":1e999${' '.repeat(20_000)}}`, 'guest')],
  [
    'refused calls by more callers than a proof names',
    (stage) => {
      for (let at = 0; at < 1_100; at += 1) {
        handled(stage, 'runtime.cancel', '{"options":{"action_id":"unknown"}}', `guest ${at}`);
        handled(stage, 'runtime.control', '{"action":"give"}', `guest ${at}`);
        handled(stage, 'runtime.control', '{"action":"release"}', `guest ${at}`);
        handled(stage, 'runtime.tools_call', '{"name":"fly"}', `guest ${at}`);
      }
    },
  ],
  ['a refused call by a caller without a name', (stage) => handled(stage, 'runtime.cancel', 'no JSON', '')],
  ['a refused call by a caller with a long name', (stage) => handled(stage, 'runtime.cancel', 'no JSON', 'x'.repeat(600))],
];

test.each(
  FROM_BYSTANDERS.flatMap(([what, send]) => (['simulator', 'worker'] as const).map((profile) => ({ what, send, profile }))),
)(
  'a run of the $profile into which a bystander brings $what has a true proof, without a trace of it',
  async ({ send, profile }) => {
    const stage = await made({ profile, signedControlRequired: false });
    handled(
      stage,
      'runtime.tools_call',
      JSON.stringify({ name: 'set_velocity', input: { vx: 0, vy: 0, wz: 0.4, duration_s: 5 } }),
      'agent',
    );
    for (let step = 0; step < 30; step += 1) stage.step();
    send(stage);
    for (let step = 0; step < 30; step += 1) stage.step();
    const proof = proofOf(stage);
    expect(proof.callers).toEqual(proof.calls.length === 0 ? [] : [{ identity: 'agent' }]);
    expect(verifyProof(RAPIER, proofText(proof))).toMatchObject({ is: 'true' });
  },
);

test.each([0, 600])(
  'a caller with a name of %i characters whose call is carried out is named in a true proof',
  async (characters) => {
    const name = 'x'.repeat(characters);
    const stage = await made();
    handled(stage, 'runtime.tools_call', JSON.stringify(turn), name);
    stage.step();
    const proof = proofOf(stage);
    expect(proof.callers).toEqual([{ identity: name }]);
    expect(verifyProof(RAPIER, proofText(proof))).toMatchObject({ is: 'true' });
  },
);

test('a payload that JSON writes longer than a call may be is kept as the text that came', async () => {
  const sent = JSON.stringify({ ...turn, options: {} }).replace('{}', `{"x":[${'1e20,'.repeat(900)}0]}`);
  expect(proofPayload(sent)).toEqual({ text: sent });
});

test('the digests of a run are taken at the interval that follows from its steps, up to the longest run of a proof', () => {
  const digests = createDigests();
  for (let steps = 30; steps <= PROOF_STEPS_MAX; steps += 30) {
    if (digests.isDue(steps)) digests.add('0123456789abcdef');
    const { every_steps, hex } = digests.written();
    if (every_steps !== digestsEverySteps(steps) || hex.length !== 6 * Math.floor(steps / every_steps))
      expect.fail(`after ${steps} steps: every ${every_steps}, ${hex.length / 6} digests`);
  }
});

test('a run with more acting callers than a proof names reports that it has no proof', async () => {
  const stage = await made();
  for (let step = 0; step < 10; step += 1) stage.step();
  for (let at = 0; at < 1_001; at += 1) stage.runtime.cancelActive(stage.nowMs, { kind: 'participant', identity: `guest ${at}` });
  expect(stage.run.proof()).toEqual({ ok: false, reason: 'too_much' });
});

test('a run with too many inputs at once reports that it has no proof', async () => {
  const stage = await made();
  const stop = (): void => stage.runtime.cancelActive(stage.nowMs, { kind: 'page' });
  for (let call = 0; call < proofInputsMax(0) - 1; call += 1) stop();
  expect(stage.run.proof()).toMatchObject({ ok: true });
  stop();
  expect(stage.run.proof()).toEqual({ ok: false, reason: 'too_much' });
});

test('a run that stood still for longer than a proof allows reports that it has no proof', async () => {
  const stage = await made();
  stage.step();
  stage.nowMs += 31 * 24 * 3_600_000;
  stage.step();
  expect(stage.run.proof()).toEqual({ ok: false, reason: 'too_long' });
});

test('reported times are those of the real clock, however the clock of the run advances', async () => {
  const stage = await made();
  stage.runtime.noteWallClock(5_000);
  stage.pace = 1.3;
  for (let step = 0; step < 300; step += 1) stage.step();
  expect(stage.runtime.state(stage.nowMs).timestamp.wall_time_ms).toBe(Math.round(stage.nowMs + 5_000));
  expect(proofOf(stage).started_at_ms).toBe(Math.round(1_760_000_000_000 + 5_000 + (1000 / 120) * 1.3));
});

test('a run that continued from a kept world reports that it has no proof', async () => {
  const [before, after] = [await made(), await made()];
  before.step();
  const kept = before.runtime.keep();
  if (kept === null) throw new Error('the world was not kept');
  expect(after.runtime.restore(kept, after.nowMs)).toMatchObject({ ok: true });
  expect(after.run.proof()).toEqual({ ok: false, reason: 'restored' });
});

test('a world that starts under a latched emergency stop re-simulates', async () => {
  const latched = { by: { kind: 'page' } as const, sinceMs: 1, reason: null };
  const stage = await made({ emergency: { latched, pressIds: [], release: null } });
  stage.call({ method: 'runtime.tools_call', payload: go(-1, -2), caller: 'agent' });
  for (let step = 0; step < 30; step += 1) stage.step();
  stage.runtime.releaseEmergencyStop(stage.nowMs);
  stage.call({ method: 'runtime.tools_call', payload: go(-1, -2), caller: 'agent' });
  for (let step = 0; step < 120; step += 1) stage.step();
  expect(verifyProof(RAPIER, proofText(proofOf(stage)))).toMatchObject({ is: 'true' });
});

test('every changed character of a proof is detected', async () => {
  const stage = await made();
  stage.call({ method: 'runtime.tools_call', payload: go(-1, -2), caller: 'agent' });
  for (let step = 0; step < 120; step += 1) stage.step();
  const text = proofText(proofOf(stage));
  expect(readProof(text).ok).toBe(true);
  for (let at = 0; at < text.length; at += 1) {
    const other = text[at] === '7' ? '8' : '7';
    expect(readProof(text.slice(0, at) + other + text.slice(at + 1)).ok, `character ${at}`).toBe(false);
    expect(readProof(text.slice(0, at) + text.slice(at + 1)).ok, `without character ${at}`).toBe(false);
  }
  expect(readProof(JSON.stringify(JSON.parse(text), null, 2))).toMatchObject({ ok: false });
});

/** A scene that does not belong to the product. */
const attic = (): Record<string, unknown> => ({
  ...JSON.parse(readFileSync(join(import.meta.dirname, '../../scenes/hall.json'), 'utf8')),
  scene_id: 'attic',
});

test('a run in a scene from outside includes the scene in its proof', async () => {
  const stage = await made({ sceneFile: attic() });
  stage.call({ method: 'runtime.tools_call', payload: go(-1, -2), caller: 'agent' });
  for (let step = 0; step < 240; step += 1) stage.step();
  const proof = proofOf(stage);
  expect(proof.scene.id).toBe('attic');
  expect(verifyProof(RAPIER, proofText(proof))).toMatchObject({ is: 'true' });
  const { sha256: _, ...rest } = structuredClone(proof);
  const reported = (file: Record<string, unknown>) =>
    verifyProof(RAPIER, proofText(seal({ ...rest, scene: { ...rest.scene, file: file as ProofFile['scene']['file'] } })));
  expect(reported({ ...attic(), spawn: { position: [0.5, -1.2] } }).is).toBe('other_version');
  expect(reported({ ...attic(), scene_id: 'cellar' })).toMatchObject({ is: 'false', atStep: 0 });
  expect(reported({ ...attic(), scene_id: 'hall' })).toMatchObject({ is: 'false', atStep: 0 });
  expect(reported({ ...attic(), pads: 7 })).toMatchObject({ is: 'false', atStep: 0, what: expect.stringContaining('pads') });
});

test('a run that enters a scene from outside without its file reports that it has no proof', async () => {
  const stage = await made({ scenes: scenesOf({ ...attic(), scene_id: 'loft' }) });
  stage.call({ method: 'runtime.tools_call', payload: { name: 'select_scene', input: { scene_id: 'loft' } }, caller: 'agent' });
  stage.step();
  expect(stage.run.world().scene.layout.scene_id).toBe('loft');
  expect(stage.run.proof()).toEqual({ ok: false, reason: 'scene_without_file' });
  await expect(made({ sceneFile: { scene_id: 'no scene' } })).rejects.toThrow('There is no such scene');
});

test.each([
  ['worker', 'by its id', false],
  ['worker', 'as all that runs', false],
  ['simulator', 'by its id', true],
  ['simulator', 'as all that runs', true],
] as const)('a run of the %s in which a picture is cancelled %s has a true proof', async (profile, how, withTool) => {
  const stage = await createRunStage({ profile, signedControlRequired: false });
  for (let step = 0; step < 5; step += 1) stage.step();
  const call = (method: string, payload: object) => stage.call({ method, payload, caller: 'op' });
  if (withTool) call('runtime.tools_call', { name: 'set_velocity', input: { vx: 0.2, duration_s: 5 } });
  call('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' }, options: { action_id: 'picture' } });
  call('runtime.cancel', how === 'by its id' ? { options: { action_id: 'picture' } } : {});
  for (let step = 0; step < 60; step += 1) stage.step();
  expect(verifyProof(RAPIER, proofText(proofOf(stage)))).toMatchObject({ is: 'true' });
  stage.runtime.dispose();
});
