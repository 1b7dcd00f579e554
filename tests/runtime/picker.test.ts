import { describe, expect, it } from 'vitest';
import { PICKER_JOINTS } from '../../src/protocol/robots/picker.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { stateHash } from '../../src/simulation/world.ts';
import { cubeTruth, jointsOn, planarDistance, robotTruth } from './oracle.ts';
import { createTestRuntime, entity, type TestRuntime } from './test-runtime.ts';

const SEEDS = [1, 7, 23];
const start = (seed = 1): Promise<TestRuntime> => createTestRuntime({ seed, robotId: 'picker' });
const extra = (t: TestRuntime) => t.read('runtime.state').robot.extra;

/** Checks every joint against its range after each step of a call. */
function withinRanges(t: TestRuntime): void {
  for (const [i, joint] of PICKER_JOINTS.entries()) {
    const at = t.core.world.body.jointPositions[i] ?? Number.NaN;
    const [min, max] = 'minM' in joint ? [joint.minM, joint.maxM] : [joint.minRad, joint.maxRad];
    expect(at, joint.name).toBeGreaterThanOrEqual(min);
    expect(at, joint.name).toBeLessThanOrEqual(max);
  }
}

describe('the picker', () => {
  it('the picker reports its model', async () => {
    const t = await start();
    const { robot_model: model } = t.read('runtime.manifest');
    expect(model).toMatchObject({ name: 'simplesim-picker-1', height_m: 1.61, base_height_m: 0.25, radius_m: 0.2 });
    expect(model.joints).toContainEqual({ name: 'lift', min_m: 0, max_m: 1.15 });
    expect(Object.keys(extra(t).joints)).toEqual(PICKER_JOINTS.map(({ name }) => name));
    expect(t.read('runtime.capabilities').cameras[0]).toMatchObject({ camera_id: 'pov', mount: 'head' });
    expect(t.read('runtime.scene_layout').spawn.position[2]).toBe(0.25);
  });

  it('the picker lists its skills in its own words, and a humanoid beside it in those of a humanoid', async () => {
    const [t, humanoid] = [await start(), await createTestRuntime()];
    const reported = (of: TestRuntime) => JSON.stringify(of.read('runtime.tools_list'));
    expect(reported(t)).not.toMatch(/both hands|walk/i);
    expect(reported(t)).toMatch(/Drives to an entity.*with the gripper, or fails with the fingers as they were/);
    expect(reported(humanoid)).toMatch(/Walks to an entity.*with both hands, or fails with the hands as they were/);
  });

  it('the picker names its arm if a call is busy, and the parts as the wire has them', async () => {
    const t = await start();
    t.start('pick_entity', entity('cube_0'), { action_id: 'pick' });
    const { message, details } = t.start('place_entity').reply.error;
    expect(message).toMatch(/^place_entity needs the base, arm, which pick_entity \(pick\) of .+ uses: /);
    expect(details.parts).toEqual(['base', 'arms']);
  });

  it.each(SEEDS)('P1 picks, carries and places a cube, and collects it, seed %i', async (seed) => {
    const t = await start(seed);
    for (const [cubeId, padId] of [
      ['cube_0', 'pad_D'],
      ['cube_1', 'pad_C'],
    ] as const) {
      const picked = t.invoke('pick_entity', entity(cubeId));
      expect(picked, JSON.stringify(picked.error)).toMatchObject({ status: 'done', result: { held: cubeId } });
      expect(jointsOn(t.core, cubeId)).toBe(1);
      withinRanges(t);
      expect(planarDistance(cubeTruth(t.core, cubeId).position, robotTruth(t.core).position)).toBeLessThan(0.5);
      const walked = t.invoke('go_to', entity(padId));
      expect(walked, JSON.stringify(walked.error)).toMatchObject({ status: 'done' });
      const placed = t.invoke('place_entity', entity(padId));
      expect(placed, JSON.stringify(placed.error)).toMatchObject({
        status: 'done',
        result: { placed: cubeId, placed_on: padId },
      });
      expect(jointsOn(t.core, cubeId)).toBe(0);
      const back = t.invoke('go_to', entity('pad_A'));
      expect(back, JSON.stringify(back.error)).toMatchObject({ status: 'done' });
    }
  });

  it('P1 puts a cube down on the floor, takes it again, and fills a pallet in two layers', async () => {
    const t = await start(3);
    t.invoke('configure_benchmark', { benchmark: { collect: false } });
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
    const { position } = robotTruth(t.core);
    const spot = [position[0] - 0.5, position[1], 0.075];
    const down = t.invoke('place_entity', { target: { kind: 'pose', pose: { position: spot } } });
    expect(down, JSON.stringify(down.error)).toMatchObject({ status: 'done' });
    expect(cubeTruth(t.core, 'cube_0').position[2]).toBeLessThan(0.08);
    const again = t.invoke('pick_entity', entity('cube_0'));
    expect(again, JSON.stringify(again.error)).toMatchObject({ status: 'done' });
    for (const index of [0, 1, 2, 3, 4, 5]) {
      if (index > 0) {
        t.invoke('go_to', entity('pad_A'));
        const next = t.invoke('pick_entity', entity('cube'));
        expect(next, JSON.stringify(next.error)).toMatchObject({ status: 'done' });
      }
      expect(t.invoke('go_to', entity('pad_D')).status).toBe('done');
      const placed = t.invoke('place_entity', { target: { kind: 'slot', pad_id: 'pad_D', index } });
      expect(placed, JSON.stringify(placed.error)).toMatchObject({ status: 'done', result: { slot: index } });
    }
  });

  it('P1 looks at things: its camera pans and tilts, and the base turns for a thing behind', async () => {
    const t = await start();
    const looked = t.invoke('look_at', entity('pad_E'));
    expect(looked, JSON.stringify(looked.error)).toMatchObject({ status: 'done' });
    expect(Math.abs(looked.result.base_turned_deg)).toBeGreaterThan(30);
    expect(t.invoke('set_head', { yaw: 0.7, pitch: 0.4 }).status).toBe('done');
    expect(extra(t).head.measured.yaw).toBeCloseTo(0.7, 1);
    expect(t.invoke('look_at', entity('cube_0')).status).toBe('done');
  });

  it('P7 stops within half a second from full speed, and in the middle of a reach', async () => {
    const t = await start();
    t.start('set_velocity', { vx: 1, wz: 1, duration_s: 3 });
    t.advance(100);
    expect(t.invoke('cancel').status).toBe('done');
    expect(t.read('runtime.state').robot.status).toBe('ready');
    expect(t.invoke('go_to', entity('pad_A')).status).toBe('done');
    const pick = t.start('pick_entity', entity('cube_0'));
    t.stepUntil(() => t.read('runtime.state').runtime.active_action?.phase === 'reaching', 30);
    t.advance(20);
    expect(t.invoke('cancel').status).toBe('done');
    expect(t.finish(pick)).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
    expect(t.core.world.robot.hands.isMoving(t.core.world.body)).toBe(false);
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
  });

  it('P12 does the same twice: equal hashes in two runs', async () => {
    const hashes: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      const t = await start(11);
      t.invoke('pick_entity', entity('cube_0'));
      t.start('set_velocity', { vx: -0.6, wz: 0.4, duration_s: 2 });
      t.advance(150);
      hashes.push(stateHash(t.core.world));
    }
    expect(hashes[0]).toBe(hashes[1]);
  });

  it('P12 continues exactly from a kept world, and stays a picker through a reset', async () => {
    const t = await start(5);
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
    const kept = structuredClone(t.runtime.keep());
    const other = await start(6);
    if (!kept) throw new Error('nothing was kept');
    expect(other.runtime.restore(kept, other.nowMs)).toEqual({ ok: true, hash: stateHash(t.core.world) });
    expect(stateHash(other.core.world)).toBe(stateHash(t.core.world));
    for (const one of [t, other]) {
      one.start('set_velocity', { vx: -0.5, wz: 0.5, duration_s: 1 });
      one.advance(160);
    }
    expect(stateHash(other.core.world)).toBe(stateHash(t.core.world));
    other.invoke('cancel');
    const reset = other.invoke('reset', { seed: 9 });
    expect(reset, JSON.stringify(reset.error)).toMatchObject({ status: 'done' });
    expect(other.read('runtime.manifest').robot_model.name).toBe('simplesim-picker-1');
  });

  it('the picker rejects the kept world of a humanoid, and the other way round', async () => {
    const [t, humanoid] = [await start(), await createTestRuntime()];
    const kept = humanoid.runtime.keep();
    if (!kept) throw new Error('nothing was kept');
    expect(t.runtime.restore(kept, t.nowMs)).toEqual({ ok: false, reason: 'other_robot' });
  });

  it("the picker has no arms for the physical robot's contract, and reports this before it starts", () => {
    expect(() => createRuntime({ robotId: 'picker', profile: 'worker' } as never)).toThrow(
      /they pose two arms, and it has one arm with a gripper/,
    );
  });
});
