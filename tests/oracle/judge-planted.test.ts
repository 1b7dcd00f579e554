/** Faults of body and grasp that the judges must see: a head that stays behind its joints, a cube that a joint holds beside the palms. */
import { describe, expect, it } from 'vitest';
import { createTestRuntime, entity, startAt, type TestRuntime } from '../runtime/test-runtime.ts';
import { type Ended, judgeHeld } from './judge.ts';
import { judgeGrip, judgeHead } from './judge-skills.ts';
import { readTruth } from './truth.ts';
import { createWitness } from './witness.ts';

const judgedHead = (t: TestRuntime): string[] => {
  const reply = t.invoke('set_head', { yaw: 0.5, pitch: 0.3 });
  return judgeHead({ input: { yaw: 0.5, pitch: 0.3 }, reply, after: readTruth(t.core, null) } as Ended);
};

describe('the head', () => {
  it('is judged by the pose of its link', async () => {
    const t = await createTestRuntime();
    expect(judgedHead(t)).toEqual([]);
    const { head } = readTruth(t.core, null).robot;
    expect([head.yawRad, head.pitchRad]).toEqual([expect.closeTo(0.5, 2), expect.closeTo(0.3, 2)]);
  });

  it('that stays where it was while its joints turn is seen', async () => {
    const t = await createTestRuntime();
    // The frames of neck and head are no longer brought up to date.
    const camera = t.core.world.body.povCamera;
    Object.defineProperty(t.core.world.body, 'povCamera', { get: () => camera });
    expect(judgedHead(t).join()).toMatch(/yaw is .* rad.*pitch is/);
  });
});

describe('a cube in the hands', () => {
  async function picked() {
    const t = await startAt(0.94, -1.8, 0);
    const witness = createWitness(t.core);
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
    const window = (steps = 29) =>
      Array.from({ length: steps }, () => {
        t.advance();
        witness.look();
        return witness.now();
      });
    return { t, window };
  }

  it('lies between both palms and goes with them', async () => {
    const { t, window } = await picked();
    expect(judgeGrip('cube_0', window())).toEqual([]);
    t.start('set_velocity', { vx: -0.3, duration_s: 1 });
    const carried = window(100);
    expect(judgeGrip('cube_0', carried)).toEqual([]);
    expect(judgeHeld({ after: readTruth(t.core, null), window: carried, disturbed: false })).toEqual([]);
  });

  it.each([
    ['ahead of the palms', { x: 0.15, y: 0, z: 0 }],
    ['beside them', { x: 0, y: 0.08, z: 0 }],
    ['below them', { x: 0, y: 0, z: -0.15 }],
  ])('that a joint holds %s is seen', async (_what, by) => {
    const { t, window } = await picked();
    const { hold } = t.core.world.grasp;
    if (!hold) throw new Error('nothing is held');
    // Whoever holds it so believes that it is right: neither joint nor bookkeeping tells.
    Object.assign(hold.anchor, { x: hold.anchor.x + by.x, y: hold.anchor.y + by.y, z: hold.anchor.z + by.z });
    const { rapier, physics } = t.core.world;
    for (const joint of physics.impulseJoints.getAll()) physics.removeImpulseJoint(joint, true);
    const none = { x: 0, y: 0, z: 0 };
    const still = { x: 0, y: 0, z: 0, w: 1 };
    const p = hold.cube.rigidBody.translation();
    hold.cube.rigidBody.setTranslation({ x: p.x + by.x, y: p.y + by.y, z: p.z + by.z }, true);
    physics.createImpulseJoint(rapier.JointData.fixed(hold.anchor, still, none, still), hold.carrier, hold.cube.rigidBody, true);
    expect(judgeGrip('cube_0', window()).join()).toMatch(/both palms on cube_0 not throughout/);
    const after = readTruth(t.core, null);
    expect(after.held).toEqual(['cube_0']);
    // Also when another call ends than the one that picked it.
    expect(judgeHeld({ after, window: window(), disturbed: false }).join()).toMatch(/both palms on cube_0 not throughout/);
  });

  it('that slides between the palms is seen', async () => {
    const { window } = await picked();
    const truths = window().map((truth, index) => {
      const cube = truth.cubes.get('cube_0');
      if (!cube?.grip) throw new Error('no grip');
      const [ahead, toLeft, up] = cube.grip.place;
      const slid = { ...cube, grip: { ...cube.grip, place: [ahead, toLeft, up - index * 0.0025] as const } };
      return { ...truth, cubes: new Map([...truth.cubes, ['cube_0', slid]]) };
    });
    expect(judgeGrip('cube_0', truths).join()).toMatch(/slides 0.070 m/);
  });
});
