/** A world with a number that is not finite: it stops, reports the fault, and returns no such value as a fact. */

import { describe, expect, it } from 'vitest';
import { sceneStateSchema } from '../../src/protocol/wire/scene.ts';
import { runtimeStateSchema } from '../../src/protocol/wire/state.ts';
import { pathOfNotFinite } from '../../src/runtime/not-finite.ts';
import { encodeReply } from '../../src/runtime/reply.ts';
import * as base from '../../src/simulation/base.ts';
import { NotFiniteError } from '../../src/simulation/finite.ts';
import * as head from '../../src/simulation/humanoid/head.ts';
import * as manipulator from '../../src/simulation/humanoid/manipulator.ts';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import { createWorld } from '../../src/simulation/world.ts';
import { createTestRuntime, startAt, type TestRuntime } from './test-runtime.ts';

const NAN = Number.NaN;
const cubeOf = (t: TestRuntime) => {
  const body = t.core.world.things.byId.get('cube_3')?.rigidBody;
  if (!body) throw new Error('no cube_3');
  return body;
};

const LOST: readonly [what: string, lose: (t: TestRuntime) => void][] = [
  ['the place of the base', (t) => t.core.world.base.rigidBody.setTranslation({ x: NAN, y: 0, z: 0.6 }, true)],
  ['the velocity of the base', (t) => t.core.world.base.rigidBody.setLinvel({ x: Number.POSITIVE_INFINITY, y: 0, z: 0 }, true)],
  ['the turning of the base', (t) => t.core.world.base.rigidBody.setAngvel({ x: 0, y: 0, z: NAN }, true)],
  ['the place of a cube', (t) => cubeOf(t).setTranslation({ x: NAN, y: NAN, z: NAN }, true)],
  ['the velocity of a cube', (t) => cubeOf(t).setLinvel({ x: 0, y: NAN, z: 0 }, true)],
];

describe('a world with a lost number', () => {
  it.each(LOST)(
    'a world that lost %s stops: actions fail, nothing is done, state and scene follow their schemas, and reset repairs it',
    async (_what, lose) => {
      const t = await createTestRuntime();
      const driving = t.start('set_velocity', { vx: 0.2, duration_s: 2 });
      t.advance(30);
      lose(t);
      t.advance(2);
      expect(driving.reply.error).toMatchObject({ code: 'INTERNAL', details: { attempted: true, world_changed: 'unknown' } });
      expect(t.faults).toHaveLength(1);
      expect(t.invoke('set_velocity', { vx: 0.4, duration_s: 0.5 }).error.code).toBe('INTERNAL');
      const state = t.read('runtime.state');
      runtimeStateSchema.parse(state);
      expect(state.robot.status).toBe('error');
      sceneStateSchema.parse(t.read('runtime.scene_state'));
      expect(pathOfNotFinite([t.runtime.state(0), t.runtime.sceneState(0), t.runtime.renderState()])).toBeNull();
      expect(t.invoke('reset').status).toBe('done');
      expect(t.invoke('set_velocity', { vx: 0.4, duration_s: 0.5 }).result.moved.dx).toBeGreaterThan(0.1);
    },
  );

  it('a world that lost an angle of its body stops, and the unknown value is not returned as null', async () => {
    const t = await createTestRuntime();
    humanoidOf(t.core.world).gait.lean.value = NAN;
    t.advance();
    expect(t.faults[0]?.thrown).toBeInstanceOf(NotFiniteError);
    const { error } = t.read('runtime.state');
    expect(error).toMatchObject({ code: 'INTERNAL', details: { path: expect.stringMatching(/^robot\.extra\.joints\./) } });
    expect(t.invoke('reset').status).toBe('done');
    runtimeStateSchema.parse(t.read('runtime.state'));
  });
});

describe('a command with a number that is not finite', () => {
  it('a command that is not finite is rejected before it reaches the body', async () => {
    const t = await createTestRuntime();
    const { world } = t.core;
    const grip = { centre: [0.8, -1.5, 0.9], yawRad: 0, openingM: 0.2 } as const;
    for (const command of [
      () => base.setCommand(world, { vx: 0, vy: 0, wz: NAN }),
      () => head.setTarget(humanoidOf(world), { yawRad: NAN }),
      () => head.setGaze(humanoidOf(world), [0, NAN, 0]),
      () => manipulator.moveTo(humanoidOf(world), { ...grip, yawRad: NAN }),
      () => manipulator.moveTo(humanoidOf(world), { ...grip, openingM: Number.POSITIVE_INFINITY }),
      () => createWorld(world.rapier, { seed: 1, startPose: { x: 0, y: 0, yawRad: NAN } }),
    ])
      expect(command).toThrow(NotFiniteError);
    t.advance(30);
    expect(t.faults).toEqual([]);
    expect(t.invoke('set_head', { yaw: 0.3 }).status).toBe('done');
  });
});

describe('an answer with a number that is not finite', () => {
  it('such an answer is replaced by INTERNAL with the name of the number', () => {
    const answer = JSON.parse(encodeReply({ pose: { position: [0, NAN, 1] }, slot: null }));
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'INTERNAL', details: { path: 'pose.position[1]' } } });
    expect(JSON.parse(encodeReply({ slot: null, n: 1e308 }))).toEqual({ slot: null, n: 1e308 });
  });
});

describe('a velocity without visible motion', () => {
  it('a velocity without motion and without an obstacle is not done', async () => {
    const t = await createTestRuntime();
    t.core.world.base.rigidBody.setEnabledTranslations(false, false, false, true);
    const { error } = t.invoke('set_velocity', { vx: 0.4, duration_s: 0.5 });
    expect(error).toMatchObject({ code: 'NOT_AT_GOAL', details: { applied: { vx: 0.4, vy: 0, wz: 0 }, world_changed: 'no' } });
    expect(error.message).toMatch(/should have moved for 0.5 s, but did not/);
    // Turning counts as motion.
    expect(t.invoke('set_velocity', { vx: 0.4, wz: 0.5, duration_s: 0.5 }).status).toBe('done');
    t.core.world.base.rigidBody.setEnabledRotations(false, false, false, true);
    expect(t.invoke('set_velocity', { wz: 0.5, duration_s: 0.5 }).error.code).toBe('NOT_AT_GOAL');
  });

  it.each([0.1, 0.2, 1])('a velocity for %f s names the obstacle, however short it presses', async (durationS) => {
    const t = await startAt(0.35, -5.2, 0);
    t.invoke('set_velocity', { vx: 0.5, duration_s: 2 });
    expect(t.invoke('set_velocity', { vx: 0.4, duration_s: durationS })).toMatchObject({
      status: 'done',
      result: { blocked_by: 'rack_11' },
    });
  });

  it('a velocity that asks for no visible motion is done: no time, no speed, or less than can be seen', async () => {
    const t = await createTestRuntime();
    for (const input of [{ vx: 1, duration_s: 0 }, { vx: 1e-320, duration_s: 1 }, { wz: 5e-324 }, { vx: 0.5, duration_s: 0.009 }])
      expect(t.invoke('set_velocity', input)).toMatchObject({ status: 'done' });
  });
});
