import { describe, expect, it } from 'vitest';
import { addCube } from '../../src/simulation/things.ts';
import { stateHash } from '../../src/simulation/world.ts';
import { robotTruth } from './oracle.ts';
import { atPose, createTestRuntime, entity, startAt, type TestRuntime } from './test-runtime.ts';

const jointsOf = (t: TestRuntime): { yaw: number; pitch: number } => {
  const { head_yaw: yaw, head_pitch: pitch } = t.read('runtime.state').robot.extra.joints;
  return { yaw, pitch };
};
const ONE_DEGREE = Math.PI / 180;

/**
 * Angle between the camera's optical axis and the direction to a point, radians: the picture's middle, from the pose of a
 * capture.
 */
function missRad(t: TestRuntime, point: readonly number[]): number {
  const { position, orientation } = t.runtime.renderState().cameras.pov;
  const [qx, qy, qz, qw] = orientation;
  const axis = [2 * (qx * qz + qw * qy), 2 * (qy * qz - qw * qx), 1 - 2 * (qx * qx + qy * qy)];
  const to = [0, 1, 2].map((i) => (point[i] ?? 0) - (position[i] ?? 0));
  const dot = axis.reduce((sum, a, i) => sum + a * (to[i] ?? 0), 0);
  return Math.acos(Math.min(1, dot / Math.hypot(...to)));
}

describe('set_head', () => {
  it('P1 set_head is done within a measured degree; an omitted axis keeps its target, also while walking', async () => {
    const t = await createTestRuntime();
    const reply = t.invoke('set_head', { yaw: 0.6, pitch: 0.3 });
    expect(reply.result.target).toEqual({ yaw: 0.6, pitch: 0.3 });
    expect(Math.abs(jointsOf(t).yaw - 0.6)).toBeLessThan(ONE_DEGREE);
    expect(t.invoke('set_head', { pitch: -0.2 }).result.target).toEqual({ yaw: 0.6, pitch: -0.2 });
    t.invoke('go_to', entity('cube_1'));
    expect(Math.abs(jointsOf(t).yaw - 0.6)).toBeLessThan(ONE_DEGREE);
    expect(Math.abs(jointsOf(t).pitch + 0.2)).toBeLessThan(ONE_DEGREE);
  });

  it.each([[{ yaw: 1.4 }], [{ yaw: -1.4 }], [{ pitch: 1 }], [{ pitch: -0.6 }]])(
    'P11 the limit %o is reached, and one step past it is rejected',
    async (limit) => {
      const t = await createTestRuntime();
      expect(t.invoke('set_head', limit).status).toBe('done');
      const [[axis, value] = ['yaw', 0]] = Object.entries(limit);
      const past = t.invoke('set_head', { [axis]: value + Math.sign(value) * 0.001 });
      expect(past.error).toMatchObject({ code: 'INVALID_INPUT', details: { path: `input.${axis}` } });
      expect(past.error.details.allowed).toMatchObject({ maximum: expect.any(Number), minimum: expect.any(Number) });
    },
  );

  it('set_head turns 60 degrees in at most 0.6 s besides the settle window', async () => {
    const t = await createTestRuntime();
    const from = t.core.world.step;
    t.invoke('set_head', { yaw: Math.PI / 3 });
    expect((t.core.world.step - from) / 120).toBeLessThan(0.6 + 0.26);
  });

  it('a head that is held fast ends with NOT_AT_GOAL', async () => {
    const t = await createTestRuntime();
    const turning = t.start('set_head', { yaw: 1 });
    t.stepUntil(() => {
      t.core.world.body.head.yaw.value = 0;
      return turning.replies > 0;
    }, 10);
    expect(turning.reply.error).toMatchObject({ code: 'NOT_AT_GOAL', details: { stage: 'postcondition' } });
  });
});

describe('look_at', () => {
  it('P1 a cube that moves while the head turns to it is looked at where it is at the end', async () => {
    const t = await startAt(0.2, -3.5, 90);
    const thing = addCube(t.core.world, 'red', [0.6, -2.4, 0.075]);
    t.advance(60);
    const looking = t.start('look_at', entity(thing.entityId));
    t.advance(20);
    thing.rigidBody.setTranslation({ x: 0, y: -2.2, z: 0.075 }, true);
    const reply = t.finish(looking);
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    expect(reply.result.point[0]).toBeCloseTo(0, 2);
    const { position, orientation } = t.core.world.body.povCamera;
    const [x, y, z, w] = orientation;
    const gaze = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)] as const;
    const to = [0 - position[0], -2.2 - position[1], 0.075 - position[2]] as const;
    const cosine = (gaze[0] * to[0] + gaze[1] * to[1] + gaze[2] * to[2]) / Math.hypot(...to);
    expect(Math.acos(cosine)).toBeLessThan(0.035);
  });

  it.each(['cube_0', 'pad_A', 'cube_2'])('P1 look_at brings %s into the middle of the picture', async (id) => {
    const t = await createTestRuntime();
    const reply = t.invoke('look_at', entity(id));
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    expect(missRad(t, t.read('runtime.scene_state').entities[id].pose.position)).toBeLessThan(2 * ONE_DEGREE);
    expect(reply.result.base_turned_deg).toBe(0);
  });

  it('look_at turns the base if the head alone cannot reach, and reports the angle', async () => {
    const t = await createTestRuntime();
    const reply = t.invoke('look_at', entity('pad_E'));
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    expect(Math.abs(reply.result.base_turned_deg)).toBeGreaterThan(60);
    expect(missRad(t, [-2.8, 0.8, 0.12])).toBeLessThan(2 * ONE_DEGREE);
    expect(robotTruth(t.core).linearMps).toBeLessThan(0.02);
  });

  it('a point directly above or below cannot be looked at, and nothing moves', async () => {
    const t = await createTestRuntime();
    const reply = t.invoke('look_at', atPose(0.45, -1.45, 0));
    expect(reply.error).toMatchObject({ code: 'OUT_OF_REACH', details: { attempted: false, world_changed: 'no' } });
  });
});

describe('the simulation', () => {
  const script = (t: TestRuntime): string => {
    t.invoke('set_head', { yaw: 0.3 });
    t.invoke('go_to', entity('cube_1'));
    t.invoke('pick_entity', entity('cube_1'));
    t.advance(600);
    return stateHash(t.core.world);
  };

  it('P12 reset restores scene, robot, ids and clock: the same seed and calls give the same run', async () => {
    const t = await createTestRuntime({ seed: 7 });
    const first = script(t);
    expect(t.invoke('reset').result).toEqual({ scene_id: 'warehouse', seed: 7 });
    expect(t.read('runtime.state').timestamp).toMatchObject({ step: 0, sim_time_s: 0 });
    expect(t.read('runtime.state').robot.held_entity_ids).toEqual([]);
    expect(script(t)).toBe(first);
    t.invoke('reset', { seed: 8 });
    expect(t.read('runtime.state').robot.extra.sim.seed).toBe(8);
    expect(script(t)).not.toBe(first);
  });

  it('a start pose is used, or rejected with the old scene unchanged', async () => {
    const t = await startAt(-1, -1, 135);
    expect(robotTruth(t.core).yawRad).toBeCloseTo((135 * Math.PI) / 180, 5);
    const before = t.core.world;
    for (const [position, code] of [
      [[1.4, 0, 0], 'GOAL_OCCUPIED'],
      [[50, 0, 0], 'GOAL_OUTSIDE_MAP'],
    ] as const) {
      const reply = t.invoke('select_scene', { scene_id: 'warehouse', start_pose: { position } });
      expect(reply.error).toMatchObject({ code, details: { attempted: false, world_changed: 'no' } });
      expect(t.core.world).toBe(before);
    }
  });

  it('speed, colours and the count are set at once, also while the robot walks', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_B'));
    t.advance(5);
    expect(t.start('set_sim_speed', { speed: 10 }).reply.result).toEqual({ speed: 10 });
    expect(t.runtime.speed()).toBe(10);
    expect(t.start('set_color_mode', { mode: 'segmentation' }).reply.status).toBe('done');
    expect(t.runtime.renderState().colourMode).toBe('segmentation');
    expect(t.start('configure_benchmark', { benchmark: { enabled: false } }).reply.result).toMatchObject({ enabled: false });
    expect(t.read('runtime.state').robot.extra).toMatchObject({ sort_benchmark: { enabled: false }, sim: { speed: 10 } });
    expect(t.finish(walking).status).toBe('done');
  });

  it('a physics fault ends running actions as INTERNAL, appears in the state, and is repaired by a reset', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_C'));
    t.advance(60);
    const { physics } = t.core.world;
    physics.physicsPipeline.raw.step = () => {
      throw new Error('unreachable');
    };
    t.advance(2);
    expect(walking.reply.error).toMatchObject({ code: 'INTERNAL', details: { world_changed: 'unknown' } });
    expect(t.read('runtime.state').runtime).toMatchObject({ status: 'error', accepts_tool_calls: false });
    expect(t.start('set_head', { yaw: 0 }).reply.error.message).toMatch(/Call reset/);
    expect(t.invoke('reset').status).toBe('done');
    expect(t.invoke('go_to', entity('cube_0')).status).toBe('done');
  });

  it('a fault of a skill is INTERNAL; the robot stops and remains usable', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_C'));
    t.advance(200);
    const entry = [...t.core.ledger.active.values()][0];
    if (entry?.stage.kind !== 'running') throw new Error('not running');
    const { run } = entry.stage;
    run.next = () => run.throw(new Error('a bug'));
    t.finish(walking, 1);
    expect(walking.reply.error).toMatchObject({ code: 'INTERNAL', details: { stage: 'runtime', attempted: true } });
    expect(robotTruth(t.core).linearMps).toBeLessThan(0.02);
    expect(t.invoke('go_to', entity('pad_C')).status).toBe('done');
  });
});
