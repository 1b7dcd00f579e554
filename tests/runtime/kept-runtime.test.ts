/** A reload continues from the kept world: it is equal in every bit, at once and as long as both get the same calls. */
import { deserialize, serialize } from 'node:v8';
import RAPIER from '@dimforge/rapier3d-compat';
import { describe, expect, it } from 'vitest';
import type { KeptRuntime } from '../../src/runtime/runtime.ts';
import * as base from '../../src/simulation/base.ts';
import { restoreWorld } from '../../src/simulation/kept-world.ts';
import { Scenes } from '../../src/simulation/scene.ts';
import { disposeWorld, stateHash } from '../../src/simulation/world.ts';
import { seeded } from '../oracle/chance.ts';
import { playOn } from '../promises/replay-agent.ts';
import { createStage, firstDifference, replayOn, type Stage } from '../promises/replay-log.ts';
import { control, createRcw, STANDING } from './rcw/rcw-runtime.ts';
import { createTestRuntime, entity, type TestRuntime } from './test-runtime.ts';

await RAPIER.init();

const NOW_MS = 1_760_000_000_000;
/** A stop takes half a second at most; until it is over, an interrupted action still blocks others. */
const STOP_STEPS = 70;
const TOGETHER_STEPS = 600;

const kept = (stage: Pick<Stage, 'runtime'>): KeptRuntime => {
  const now = stage.runtime.keep();
  if (now === null) throw new Error('nothing was kept');
  // As it is read from a browser's storage, and from a file.
  return deserialize(serialize(structuredClone(now)));
};

/** Steps both, then lets an agent play with one and sends the same calls to the other. */
function expectSameFrom(one: Stage, other: Stage, seed: number): void {
  const still = { name: 'still', seed, steps: STOP_STEPS, calls: [] };
  const stopped = [replayOn(one, still).hashes, replayOn(other, still).hashes] as const;
  expect(firstDifference(...stopped), `seed ${seed}: step of the stop that differs`).toBeNull();
  const steps = TOGETHER_STEPS - STOP_STEPS;
  const story = playOn(one, seed, steps);
  const again = replayOn(other, { name: 'on', seed, steps, calls: story.calls });
  expect(firstDifference(story.hashes, again.hashes), `seed ${seed}: step after it that differs`).toBeNull();
  expect(again.ends).toEqual(story.ends);
}

describe('a kept runtime', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'seed %i: P12 restored at random steps, also during skills, a runtime continues like the kept one',
    (seed) => {
      const random = seeded(seed);
      const stage = createStage(RAPIER, seed);
      for (let turn = 0; turn < 4; turn += 1) {
        const { hashes } = playOn(stage, 1_000 * seed + turn, 50 + Math.floor(random() * 900));
        const now = kept(stage);
        const world = restoreWorld(RAPIER, now.world, new Scenes());
        expect(world.ok && stateHash(world.world)).toBe(hashes.at(-1));
        if (world.ok) disposeWorld(world.world);

        const other = createStage(RAPIER, seed + 50);
        playOn(other, seed, 40);
        expect(other.runtime.restore(now, NOW_MS)).toEqual({ ok: true, hash: hashes.at(-1) });
        stage.runtime.noteSuspended(1, NOW_MS);
        expect(stateHash(other.core.world)).toBe(stateHash(stage.core.world));
        expectSameFrom(stage, other, 77 * seed + turn);
        expect(other.runtime.speed()).toBe(stage.runtime.speed());
        other.runtime.dispose();
      }
      stage.runtime.dispose();
    },
  );

  it('a cube that the hands hold is still held, and can be put down', async () => {
    const t = await createTestRuntime({ seed: 3 });
    expect(t.invoke('pick_entity', entity('cube')).status).toBe('done');
    const counts = t.read('runtime.state');
    const other = await createTestRuntime({ seed: 9 });
    expect(restore(other, t).ok).toBe(true);
    expect(other.read('runtime.state')).toMatchObject({
      robot: { held_entity_ids: counts.robot.held_entity_ids, pose: counts.robot.pose },
    });
    expect(other.invoke('go_to', entity('pad_C')).status).toBe('done');
    expect(other.invoke('place_entity', {}).status).toBe('done');
  });

  it('a part moved by a skill comes to rest, and the restored robot accepts commands at once', async () => {
    const t = await createTestRuntime();
    t.start('set_velocity', { vx: 0.8, duration_s: 5 });
    t.advance(200);
    const other = await createTestRuntime();
    restore(other, t);
    expect(other.read('runtime.state').runtime.active_action).toBeUndefined();
    other.advance(STOP_STEPS);
    expect(other.read('runtime.state').robot.status).toBe('ready');
    expect(other.invoke('set_velocity', { vx: 0.3, duration_s: 0.5 }).status).toBe('done');
  });

  it('a kept runtime reports the actions that ran when it was kept', async () => {
    const t = await createTestRuntime();
    expect(t.runtime.keep()?.running).toEqual([]);
    t.start('go_to', entity('pad_C'), { action_id: 'walk' });
    t.advance(30);
    expect(t.runtime.keep()?.running).toMatchObject([{ actionId: 'walk', kind: 'tool', name: 'go_to', input: entity('pad_C') }]);
  });

  it('an action in a world that is replaced is reported as interrupted', async () => {
    const [t, other] = [await createTestRuntime(), await createTestRuntime()];
    const walk = other.start('go_to', entity('pad_C'));
    other.advance(30);
    restore(other, t);
    expect(walk.reply).toMatchObject({ status: 'failed', error: { code: 'RUNTIME_SUSPENDED' } });
  });

  it('another version, another contract and changed data are rejected with a reason, and nothing changes', async () => {
    const t = await createTestRuntime();
    t.advance(100);
    const now = kept(t);
    const cases: [string, KeptRuntime][] = [
      ['other_version', { ...now, format: 99 }],
      ['other_version', { ...now, format: 1 }],
      ['other_version', { ...now, productVersion: '9.9.9' }],
      ['other_version', { ...now, world: { ...now.world, simProtocol: 1 } }],
      ['other_version', { ...now, world: { ...now.world, engine: '0.0.1' } }],
      ['other_version', { ...now, world: { ...now.world, sceneId: 'moon' } }],
      ['other_profile', { ...now, profile: 'worker' }],
      ['damaged', { ...now, world: { ...now.world, physics: now.world.physics.slice(0, 20_000) } }],
      [
        'damaged',
        { ...now, world: { ...now.world, physics: now.world.physics.map((byte, at) => (at === 9_000 ? byte ^ 1 : byte)) } },
      ],
      ['damaged', { ...now, world: { ...now.world, step: now.world.step + 1 } }],
      ['damaged', { ...now, world: { ...now.world, cubes: now.world.cubes.slice(1) } }],
      ['damaged', { ...now, world: { ...now.world, body: undefined as never } }],
      ['damaged', { ...now, world: { ...now.world, physics: 'bytes' as never } }],
      ['damaged', { ...now, world: null as never }],
      ['damaged', { ...now, speed: Number.NaN }],
      ['damaged', { ...now, moving: [5] as never }],
      ['damaged', { ...now, running: undefined as never }],
      ['damaged', { ...now, running: [null] as never }],
      ['damaged', { ...now, dropped: 'a cube' as never }],
    ];
    const before = stateHash(t.core.world);
    for (const [reason, changed] of cases) expect(t.runtime.restore(changed, t.nowMs)).toEqual({ ok: false, reason });
    expect(stateHash(t.core.world)).toBe(before);
    t.advance(10);
  });

  it('a broken world is not kept, and a kept one replaces it', async () => {
    const t = await createTestRuntime();
    t.advance(10);
    const now = kept(t);
    t.core.world.base.rigidBody.setLinvel({ x: Number.NaN, y: 0, z: 0 }, true);
    t.advance(3);
    expect(t.core.fault).not.toBeNull();
    expect(t.runtime.keep()).toBeNull();
    expect(t.runtime.restore(now, t.nowMs).ok).toBe(true);
    expect(t.core.fault).toBeNull();
    t.advance(10);
  });
});

it('a world that cannot be copied for lack of memory is not kept, and the robot continues', async () => {
  const t = await createTestRuntime();
  const { physics } = t.core.world;
  const takeSnapshot = physics.takeSnapshot.bind(physics);
  physics.takeSnapshot = () => {
    throw new RangeError('out of memory');
  };
  expect(t.runtime.keep()).toBeNull();
  t.advance(10);
  physics.takeSnapshot = takeSnapshot;
  expect(t.runtime.keep()).not.toBeNull();
});

describe('of the worker profile', () => {
  it('after a restore of the worker, a held velocity has ended, arms that followed poses are limp, and a latched emergency stop stays', async () => {
    const t = await createRcw();
    t.start('set_velocity', { vx: 0.5 });
    t.start('set_upper_body', STANDING);
    t.advance(20);
    const other = await createRcw();
    restore(other, t);
    expect(control(other)).toMatchObject({ velocity_holds: false, upper_body: { mode: 'damp' } });
    other.advance(STOP_STEPS);
    expect(base.isStopped(other.core.world)).toBe(true);

    t.runtime.emergencyStop(t.nowMs, { kind: 'robot', what: 'the button' });
    const third = await createRcw();
    restore(third, t);
    expect(control(third).emergency_stop).toBeTruthy();
    expect(third.start('set_velocity', { vx: 0.5 }).reply.status).toBe('failed');
  });
});

const restore = (to: TestRuntime, from: TestRuntime) => to.runtime.restore(kept(from), to.nowMs);
