import { describe, expect, it } from 'vitest';
import { radToDeg } from '../../src/protocol/wire/geometry.ts';
import { addCube } from '../../src/simulation/things.ts';
import { planarDistance, robotTruth } from './oracle.ts';
import { atPose, createTestRuntime, entity, startAt, type TestRuntime } from './test-runtime.ts';

const yawErrorDeg = (a: number, b: number): number => Math.abs(((((a - b) % 360) + 540) % 360) - 180);

/** A box in the physics that neither layout nor planner knows. */
function hiddenWall(t: TestRuntime, x: number, y: number, halfX: number, halfY: number): void {
  const { rapier, physics, colliderIds } = t.core.world;
  const collider = physics.createCollider(rapier.ColliderDesc.cuboid(halfX, halfY, 0.5).setTranslation(x, y, 0.5));
  colliderIds.set(collider.handle, 'hidden_wall');
}

describe('set_velocity', () => {
  it('set_velocity moves in the body frame and reports the distance that physics has', async () => {
    const t = await startAt(0.3, 3, 90);
    const before = robotTruth(t.core);
    const { status, result } = t.invoke('set_velocity', { vx: -0.4, vy: 0.3, duration_s: 1 });
    const after = robotTruth(t.core);
    expect(status).toBe('done');
    // Facing +y: forward is +y, left is -x.
    expect(result.moved.dx).toBeCloseTo(after.position[1] - before.position[1], 3);
    expect(result.moved.dy).toBeCloseTo(before.position[0] - after.position[0], 3);
    expect(result.moved.dx).toBeLessThan(-0.3);
    expect(result.applied).toEqual({ vx: -0.4, vy: 0.3, wz: 0 });
    expect(result.blocked_by).toBeUndefined();
    expect(after.linearMps).toBeLessThan(0.02);
  });

  it('set_velocity turns on the spot', async () => {
    const t = await createTestRuntime();
    const before = robotTruth(t.core);
    const { result } = t.invoke('set_velocity', { wz: -1, duration_s: 1 });
    const after = robotTruth(t.core);
    expect(result.moved.dyaw).toBeCloseTo(after.yawRad - before.yawRad, 3);
    expect(result.moved.dyaw).toBeLessThan(-0.7);
    expect(planarDistance(after.position, before.position)).toBeLessThan(0.01);
  });

  it('P11 clamps beyond the limits and reports it', async () => {
    const t = await startAt(0.3, 3.2, 180);
    const reply = t.invoke('set_velocity', { vx: 1e308, wz: -1e308, duration_s: 0.1 });
    expect(reply).toMatchObject({ status: 'done', result: { applied: { vx: 1.5, vy: 0, wz: -1.5 } }, meta: { degraded: true } });
    expect(t.invoke('set_velocity', { vx: 1.5, duration_s: 0.1 }).meta.degraded).toBeUndefined();
  });

  it('set_velocity names the obstacle that blocked it', async () => {
    const t = await startAt(0.9, -1.5, 0);
    const { status, result } = t.invoke('set_velocity', { vx: 0.5, duration_s: 2 });
    expect(status).toBe('done');
    expect(result.blocked_by).toBe('belt');
    expect(robotTruth(t.core).position[0]).toBeLessThan(1.05);
  });
});

describe('go_to', () => {
  it.each([
    [-1, -1, 90],
    [3, 0, -45],
    [-2.5, -6.5, 180],
    [4.2, -4, 0],
  ])('P10 reaches the pose (%f, %f, %f°) within the tolerance that it reports', async (x, y, yawDeg) => {
    const t = await createTestRuntime();
    const reply = t.invoke('go_to', atPose(x, y, 0, { yaw_deg: yawDeg }));
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    const { position, yawRad } = robotTruth(t.core);
    expect(planarDistance(position, [x, y])).toBeLessThan(0.05);
    expect(yawErrorDeg(radToDeg(yawRad), yawDeg)).toBeLessThan(2);
    expect(reply.result.position_error_m).toBeCloseTo(planarDistance(position, [x, y]), 3);
    expect(reply.result).toMatchObject({ recoveries: 0, pose: { frame_id: 'world' } });
    expect(reply.result.path_m).toBeGreaterThan(Math.hypot(x - 0.405, y + 1.497) - 0.05);
    t.advance(120);
    expect(planarDistance(robotTruth(t.core).position, [x, y])).toBeLessThan(0.05);
  });

  it('a quaternion is a heading too; without one any heading is allowed', async () => {
    const t = await createTestRuntime();
    const half = Math.PI / 4;
    t.invoke('go_to', atPose(0, -1, 0, { orientation_xyzw: [0, 0, Math.sin(half), Math.cos(half)] }));
    expect(yawErrorDeg(radToDeg(robotTruth(t.core).yawRad), 90)).toBeLessThan(2);
    expect(t.invoke('go_to', atPose(-0.5, -1)).result.yaw_error_deg).toBe(0);
  });

  it.each(['pad_A', 'pad_B', 'pad_C', 'pad_D', 'pad_E', 'cube_0', 'cube_3', 'cube_6'])(
    'go_to stops within reach of %s, facing it',
    async (id) => {
      const t = await createTestRuntime();
      const reply = t.invoke('go_to', entity(id));
      expect(reply.status, JSON.stringify(reply.error)).toBe('done');
      const target = t.read('runtime.scene_state').entities[id].pose.position;
      const { position, yawRad } = robotTruth(t.core);
      const at = id === 'pad_A' ? [target[0], position[1]] : target;
      expect(planarDistance(position, at)).toBeLessThan(0.7);
      const bearing = Math.atan2(at[1] - position[1], at[0] - position[0]);
      expect(yawErrorDeg(radToDeg(yawRad), radToDeg(bearing))).toBeLessThan(5);
      expect(Math.abs(position[1])).toBeLessThan(8);
    },
  );

  it('P10 a goal that is already reached is done at once and nothing moves', async () => {
    const t = await createTestRuntime();
    for (const goal of [entity('pad_E'), atPose(-1, -1, 0, { yaw_deg: 30 })]) {
      expect(t.invoke('go_to', goal).status).toBe('done');
      const before = robotTruth(t.core);
      const again = t.start('go_to', goal);
      expect(again.reply).toMatchObject({ status: 'done', result: { path_m: 0, recoveries: 0 } });
      t.advance(60);
      expect(robotTruth(t.core).position).toEqual(before.position);
    }
  });

  it('P11 keeps a tolerance of a centimetre when requested', async () => {
    const t = await createTestRuntime();
    const reply = t.invoke('go_to', { ...atPose(0, 0.5, 0, { yaw_deg: 0 }), tolerance_m: 0.01 });
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    expect(planarDistance(robotTruth(t.core).position, [0, 0.5])).toBeLessThan(0.01);
  });

  it('impossible goals are rejected: outside, in an obstacle, walled in; with the nearest point if one exists', async () => {
    const t = await createTestRuntime();
    expect(t.invoke('go_to', atPose(9, 0)).error).toMatchObject({ code: 'GOAL_OUTSIDE_MAP', details: { attempted: false } });
    const occupied = t.invoke('go_to', atPose(1.4, 0));
    expect(occupied.error).toMatchObject({ code: 'GOAL_OCCUPIED', details: { blocker: 'belt' } });
    const [x, y] = occupied.error.details.nearest_reachable;
    expect(t.invoke('go_to', atPose(x, y)).status).toBe('done');
    for (let i = 0; i < 14; i += 1) {
      const angle = (2 * Math.PI * i) / 14;
      addCube(t.core.world, 'red', [-2.5 + 0.6 * Math.cos(angle), -3.9 + 0.6 * Math.sin(angle), 0.075]);
    }
    expect(t.invoke('go_to', atPose(-2.5, -3.9)).error.code).toBe('NO_PATH');
  });

  it('P10 walks round a cube that lies on its path', async () => {
    const t = await createTestRuntime();
    const thing = addCube(t.core.world, 'red', [-0.3, -1.497, 0.075]);
    const reply = t.invoke('go_to', atPose(-1, -1.497));
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    expect(planarDistance([thing.position.x, thing.position.y], [-0.3, -1.497])).toBeLessThan(0.02);
    expect(reply.result.path_m).toBeGreaterThan(1.41);
  });

  it('P10 stuck before an unknown obstacle: recoveries are tried and counted, the obstacle is named, the robot stands', async () => {
    const t = await startAt(-0.4, -6.6, 90);
    hiddenWall(t, -0.4, -4, 1.2, 0.1);
    hiddenWall(t, -0.4, -6.9, 1.2, 0.05);
    hiddenWall(t, -1.6, -5.5, 0.05, 1.5);
    hiddenWall(t, 0.55, -5.5, 0.05, 1.5);
    const reply = t.invoke('go_to', atPose(-0.4, -3.2));
    expect(reply.error, JSON.stringify(reply)).toMatchObject({
      code: 'NAVIGATION_STUCK',
      details: { stage: 'execution', attempted: true, world_changed: 'yes', blocker: 'hidden_wall', recoveries: 4 },
    });
    const { progress_m: progressM, remaining_m: remainingM } = reply.error.details;
    expect(progressM).toBeGreaterThan(1);
    const left = planarDistance(robotTruth(t.core).position, [-0.4, -3.2]);
    expect(remainingM).toBeGreaterThan(left - 0.5);
    expect(robotTruth(t.core).linearMps).toBeLessThan(0.02);
  });

  it('P1 a robot that is repeatedly pushed off its goal is not done', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', atPose(0, -1, 0, { yaw_deg: 0 }));
    t.stepUntil(() => {
      const { phase } = t.read('runtime.state').runtime.active_action ?? { phase: '' };
      const body = t.core.world.base.rigidBody;
      if (phase === 'settling') body.setTranslation({ x: 0.3, y: -1, z: body.translation().z }, true);
      return walking.replies > 0;
    });
    expect(walking.reply.error.code).toBe('NOT_AT_GOAL');
  });

  it('P1 P10 a cube that is moved while the robot walks to it is followed: done means before its present place', async () => {
    const t = await startAt(0.2, -3.5, 90);
    const thing = addCube(t.core.world, 'red', [-0.4, -0.6, 0.075]);
    t.advance(60);
    const walking = t.start('go_to', entity(thing.entityId));
    t.advance(120);
    thing.rigidBody.setTranslation({ x: -2.2, y: -1, z: 0.075 }, true);
    const reply = t.finish(walking);
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    const { position, yawRad } = robotTruth(t.core);
    expect(planarDistance(position, [-2.2, -1])).toBeLessThan(1.2);
    const bearing = Math.atan2(-1 - position[1], -2.2 - position[0]);
    expect(Math.abs(Math.atan2(Math.sin(bearing - yawRad), Math.cos(bearing - yawRad)))).toBeLessThan(0.2);
  });
});
