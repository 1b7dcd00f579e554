/**
 * Faults of body and grasp that the judges must detect: a head that stays behind its joints, a cube that a joint holds beside the
 * palms.
 */

import { describe, expect, it } from 'vitest';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import { createTestRuntime, entity, startAt, type TestRuntime } from '../runtime/test-runtime.ts';
import { type Ended, judgeHeld } from './judge.ts';
import { judgeGrip, judgeHead } from './judge-skills.ts';
import { readTruth, type Truth } from './truth.ts';
import { createWitness } from './witness.ts';

const judgedHead = (t: TestRuntime): string[] => {
  const reply = t.invoke('set_head', { yaw: 0.5, pitch: 0.3 });
  return judgeHead({ input: { yaw: 0.5, pitch: 0.3 }, reply, after: readTruth(t.core, null) } as Ended);
};

describe('the head', () => {
  it('the head is judged by the pose of its link', async () => {
    const t = await createTestRuntime();
    expect(judgedHead(t)).toEqual([]);
    const { head } = readTruth(t.core, null).robot;
    expect([head.yawRad, head.pitchRad]).toEqual([expect.closeTo(0.5, 2), expect.closeTo(0.3, 2)]);
  });

  it('a head that stays in place while its joints turn is detected', async () => {
    const t = await createTestRuntime();
    // The frames of neck and head are not updated any more.
    const camera = t.core.world.body.povCamera;
    Object.defineProperty(humanoidOf(t.core.world), 'povCamera', { get: () => camera });
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

  it('a held cube lies between both palms and moves with them', async () => {
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
  ])('a cube that a joint holds %s is detected', async (_what, by) => {
    const { t, window } = await picked();
    const { hold } = t.core.world.grasp;
    if (!hold) throw new Error('nothing is held');
    // The robot that holds it so reports no fault: neither joint nor bookkeeping shows one.
    Object.assign(hold.anchor, { x: hold.anchor.x + by.x, y: hold.anchor.y + by.y, z: hold.anchor.z + by.z });
    const { rapier, physics } = t.core.world;
    for (const joint of physics.impulseJoints.getAll()) physics.removeImpulseJoint(joint, true);
    const none = { x: 0, y: 0, z: 0 };
    const still = { x: 0, y: 0, z: 0, w: 1 };
    const p = hold.thing.rigidBody.translation();
    hold.thing.rigidBody.setTranslation({ x: p.x + by.x, y: p.y + by.y, z: p.z + by.z }, true);
    physics.createImpulseJoint(rapier.JointData.fixed(hold.anchor, still, none, still), hold.carrier, hold.thing.rigidBody, true);
    expect(judgeGrip('cube_0', window()).join()).toMatch(/both palms on cube_0 not throughout/);
    const after = readTruth(t.core, null);
    expect(after.held).toEqual(['cube_0']);
    // Also when a call ends other than the one that picked it.
    expect(judgeHeld({ after, window: window(), disturbed: false }).join()).toMatch(/both palms on cube_0 not throughout/);
  });

  /** The readings of a held cube, moved between the palms: by this many metres upwards at each step. */
  const lifted = (truths: readonly Truth[], byM: (index: number) => number): Truth[] =>
    truths.map((truth, index) => {
      const thing = truth.things.get('cube_0');
      if (!thing?.grip) throw new Error('no grip');
      const [ahead, toLeft, up] = thing.grip.place;
      const grip = { ...thing.grip, place: [ahead, toLeft, up + byM(index)] as const };
      return { ...truth, things: new Map([...truth.things, ['cube_0', { ...thing, grip }]]) };
    });

  it('a cube that slides between the palms is detected, also if it slid before and rests there', async () => {
    const { window } = await picked();
    const truths = window();
    expect(
      judgeGrip(
        'cube_0',
        lifted(truths, (index) => -0.0025 * index),
      ).join(),
    ).toMatch(/has slid 0.070 m/);
    expect(
      judgeGrip(
        'cube_0',
        lifted(truths, () => -0.06),
      ).join(),
    ).toMatch(/has slid 0.060 m/);
  });

  it('a cube that trembles to both sides of its place counts as held, until it moves too far to one', async () => {
    const { window } = await picked();
    const truths = window();
    expect(
      judgeGrip(
        'cube_0',
        lifted(truths, (index) => (index % 2 ? 0.03 : -0.03)),
      ),
    ).toEqual([]);
    expect(
      judgeGrip(
        'cube_0',
        lifted(truths, (index) => (index % 2 ? 0.055 : 0)),
      ).join(),
    ).toMatch(/has slid 0.055 m/);
  });

  it('a cube that is struck while it is lifted fast counts as held: cube and palms are read as of the same step', async () => {
    const t = await startAt(0.94, -1.8, 0);
    const witness = createWitness(t.core);
    const call = t.start('pick_entity', entity('cube_0'));
    const phase = () => [...t.core.ledger.active.values()][0]?.phase;
    let liftingSteps = 0;
    t.stepUntil(() => {
      witness.look();
      if (phase() === 'lifting') liftingSteps += 1;
      if (liftingSteps === 17) t.core.world.things.byId.get('cube_0')?.rigidBody.applyImpulse({ x: 0.7, y: 0.7, z: 0 }, true);
      return call.replies > 0;
    });
    expect(call.reply.status).toBe('done');
    const slips = witness.window().map(({ things }) => things.get('cube_0')?.grip);
    expect(slips.some((grip) => grip && Math.hypot(...grip.place) > 0.005)).toBe(true);
    expect(judgeGrip('cube_0', witness.window())).toEqual([]);
  });

  it('a cube with palms that stay behind the hands in physics is detected', async () => {
    const { t, window } = await picked();
    for (const { rigidBody } of [t.core.world.grasp.palms.right, t.core.world.grasp.palms.left])
      rigidBody.setNextKinematicTranslation = () => {};
    t.start('set_velocity', { vx: -0.5, duration_s: 1 });
    expect(judgeGrip('cube_0', window(60)).join()).toMatch(/the palms' bodies are 0\.\d+ m from the hands|not throughout/);
  });
});
