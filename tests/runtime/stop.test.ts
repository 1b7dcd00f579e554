import { describe, expect, it } from 'vitest';
import { PAGE } from '../../src/protocol/wire/caller.ts';
import { STOP_WITHIN_S, STOPPED_ANGULAR_RPS, STOPPED_LINEAR_MPS } from '../../src/protocol/wire/limits.ts';
import * as manipulator from '../../src/simulation/humanoid/manipulator.ts';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import { addCube } from '../../src/simulation/things.ts';
import { jointCount, robotTruth } from './oracle.ts';
import { createTestRuntime, entity, startAt, type TestRuntime } from './test-runtime.ts';

const simTimeS = (t: TestRuntime): number => t.core.world.step / 120;

/** After a walk the feet come together and the arms swing out; after a pick or place the hands stay where they were braked. */
const SWINGING_OUT_M = 0.15;
const BRAKED_M = 0.02;

/** Checked against physics: the base is still, and the hands stay within `handsM` over the next steps. */
function expectStill(t: TestRuntime, handsM = SWINGING_OUT_M): void {
  const { linearMps, angularRps } = robotTruth(t.core);
  expect(linearMps).toBeLessThan(STOPPED_LINEAR_MPS);
  expect(angularRps).toBeLessThan(STOPPED_ANGULAR_RPS);
  const palm = () => t.core.world.body.palms.right.position;
  const before = palm();
  const base = robotTruth(t.core);
  t.advance(60);
  const after = palm();
  expect(Math.hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2])).toBeLessThan(handsM);
  const later = robotTruth(t.core);
  expect(Math.hypot(later.position[0] - base.position[0], later.position[1] - base.position[1])).toBeLessThan(0.01);
}

describe('P7 stop is physical', () => {
  it.each([
    ['full speed ahead', { vx: 1.5, duration_s: 60 }, 150],
    ['sideways', { vy: -0.8, duration_s: 60 }, 60],
    ['turning', { wz: 1.5, duration_s: 60 }, 120],
    ['turning and backwards', { vx: -1, wz: -1.5, duration_s: 60 }, 60],
  ])('cancel of %s answers within 0.5 s of simulated time, when the robot stands', async (_what, input, steps) => {
    const t = await startAt(0.3, 3.2, 180);
    const driving = t.start('set_velocity', input, { action_id: 'drive' });
    t.advance(steps);
    const askedAtS = simTimeS(t);
    const cancel = t.send('runtime.cancel', { options: { action_id: 'drive' } });
    const reply = t.finish(cancel);
    expect(simTimeS(t) - askedAtS).toBeLessThanOrEqual(STOP_WITHIN_S + 1e-9);
    expect(reply).toMatchObject({
      status: 'failed',
      error: { code: 'CANCELLED', details: { attempted: true, world_changed: 'yes' } },
    });
    expect(reply.error.details.still_moving).toBeUndefined();
    expect(driving.reply).toEqual(reply);
    expectStill(t);
  });

  it.each([0, 1, 10, 50, 73, 83, 93, 100, 118, 138])(
    'a pick cancelled after %i steps stops, and the robot continues from there',
    async (steps) => {
      const t = await startAt(0.94, -1.8, 0);
      const picking = t.start('pick_entity', entity('cube_0'));
      t.advance(steps);
      const askedAtS = simTimeS(t);
      const reply = t.finish(t.send('runtime.cancel', { options: { action_id: 'cancel-active' } }));
      expect(simTimeS(t) - askedAtS).toBeLessThanOrEqual(STOP_WITHIN_S + 1e-9);
      expect(reply.error.code).toBe('CANCELLED');
      expect(reply.error.details.attempted).toBe(steps > 0);
      expect(picking.reply).toEqual(reply);
      expectStill(t, BRAKED_M);
      const held = t.read('runtime.state').robot.held_entity_ids;
      expect(jointCount(t.core)).toBe(held.length);
      const again = held.length === 1 ? t.invoke('go_to', entity('pad_D')) : t.invoke('pick_entity', entity('cube_0'));
      expect(again.status, JSON.stringify(again.error)).toBe('done');
      expect(t.read('runtime.state').robot.held_entity_ids).toEqual(['cube_0']);
    },
  );

  it.each([1, 40, 80, 100, 115, 125, 140, 170])(
    'a place cancelled after %i steps stops, and the cube is in the hands or at rest',
    async (steps) => {
      const t = await startAt(0.94, -1.8, 0);
      expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
      expect(t.invoke('go_to', entity('pad_D')).status).toBe('done');
      t.start('place_entity');
      t.advance(steps);
      const reply = t.finish(t.send('runtime.cancel', { options: { action_id: 'cancel-active' } }));
      expect(reply.error.code).toBe('CANCELLED');
      expectStill(t, BRAKED_M);
      const held = t.read('runtime.state').robot.held_entity_ids;
      expect(jointCount(t.core)).toBe(held.length);
      if (held.length === 0) {
        const cube = t.read('runtime.scene_state', { entity_ids: ['cube_0'] }).entities.cube_0;
        expect(cube.state).toMatchObject({ at_rest: true, parent_pad_id: 'pad_D' });
      } else {
        expect(t.invoke('place_entity').status).toBe('done');
      }
      expect(t.invoke('go_to', entity('pad_A')).status).toBe('done');
    },
  );

  it('a pick cancelled when its hands have just taken the cube presses no further, and the cube can be placed', async () => {
    const t = await startAt(0.94, -1.8, 0);
    t.start('pick_entity', entity('cube_0'));
    t.stepUntil(() => jointCount(t.core) > 0);
    const between = () => {
      const { right, left } = t.core.world.body.palms;
      return Math.hypot(...right.position.map((value, axis) => value - (left.position[axis] ?? 0)));
    };
    const taken = between();
    t.finish(t.send('runtime.cancel', { options: { action_id: 'cancel-active' } }));
    expect(taken - between()).toBeLessThan(0.01);
    expect(t.invoke('go_to', entity('pad_D')).status).toBe('done');
    const placed = t.invoke('place_entity');
    expect(placed.status, JSON.stringify(placed.error)).toBe('done');
  });

  it('a cube between a palm and the base does not push the robot across the floor', async () => {
    const t = await startAt(3.2, -2, 0);
    const { world } = t.core;
    const handsAhead = (aheadM: number) =>
      manipulator.moveTo(humanoidOf(world), { centre: [3.2 + aheadM, -2, 0.5], yawRad: 0, openingM: 0.2 });
    expect(handsAhead(0.55)).toBe(true);
    t.advance(240);
    addCube(world, 'red', [3.2 + 0.36, -2 + 0.1, 0.55]);
    expect(handsAhead(0.3)).toBe(true);
    t.advance(300);
    const [x, y] = robotTruth(t.core).position;
    expect(Math.hypot(x - 3.2, y + 2)).toBeLessThan(0.02);
  });

  it('a cancelled look stops the turning head without turning it back', async () => {
    const t = await createTestRuntime();
    t.start('set_head', { yaw: 1.4 });
    t.advance(12);
    const head = () => t.core.world.body.head.yaw.value;
    const cancel = t.send('runtime.cancel', { options: { action_id: 'cancel-active' } });
    let farthest = head();
    while (cancel.replies === 0) {
      t.advance();
      expect(head()).toBeGreaterThanOrEqual(farthest);
      farthest = head();
    }
    t.advance(120);
    expect(Math.abs(head() - farthest)).toBeLessThan(0.01);
  });

  it('displaced arms on their way back beside a walk stop with it', async () => {
    const t = await startAt(0.94, -1.8, 0);
    t.start('pick_entity', entity('cube_0'));
    t.advance(80);
    t.finish(t.send('runtime.cancel', { options: { action_id: 'cancel-active' } }));
    const walking = t.start('go_to', entity('pad_D'));
    t.advance(40);
    expect(t.read('runtime.state').runtime.active_action.phase).toBe('straightening up');
    t.finish(t.send('runtime.cancel', { options: { action_id: 'cancel-active' } }));
    expect(walking.reply.error.code).toBe('CANCELLED');
    expectStill(t, BRAKED_M);
    expect(t.invoke('go_to', entity('pad_D')).status).toBe('done');
  });

  it('a walk cancelled half way has its progress in the answer and can be resumed', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_C'));
    t.advance(360);
    t.invoke('cancel');
    expect(walking.reply.error).toMatchObject({ code: 'CANCELLED', details: { progress: { unit: 'm' }, cancelled_by: 'agent' } });
    expect(walking.reply.error.details.progress.current).toBeGreaterThan(0.5);
    expectStill(t);
    expect(t.read('runtime.state').robot.extra).toMatchObject({ command: { vx: 0, vy: 0, wz: 0 }, nav: { active: false } });
    expect(t.invoke('go_to', entity('pad_C')).status).toBe('done');
  });

  it('a cancelled set_head stops the turning head where it is', async () => {
    const t = await createTestRuntime();
    const turning = t.start('set_head', { yaw: 1.4 });
    t.advance(12);
    t.finish(t.send('runtime.cancel', { options: { action_id: 'cancel-active' } }));
    expect(turning.reply.error.code).toBe('CANCELLED');
    const { measured } = t.read('runtime.state').robot.extra.head;
    t.advance(120);
    const later = t.read('runtime.state').robot.extra.head.measured;
    expect(Math.abs(later.yaw - measured.yaw)).toBeLessThan(0.02);
    expect(later.yaw).toBeLessThan(1.2);
  });

  it("a timed drive ends on the runtime's own clock, within one step, even without a listener", async () => {
    const t = await startAt(0.3, 3.2, 180);
    t.start('set_velocity', { vx: 0.5, duration_s: 1 });
    t.advance(119);
    expect(t.core.world.base.command.vx).toBe(0.5);
    t.advance(1);
    expect(t.core.world.base.command.vx).toBe(0);
    t.advance(60);
    expectStill(t);
  });

  it("the page's stop button has the same effect and appears in the timeline", async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_C'));
    t.advance(200);
    t.runtime.cancelActive(t.nowMs, PAGE);
    t.finish(walking);
    expect(walking.reply.error).toMatchObject({
      code: 'CANCELLED',
      details: { cancelled_by: "the robot's page", canceller: PAGE },
    });
    t.advance(2);
    expect(t.records.at(-1)).toMatchObject({ name: 'cancel', caller: PAGE, status: 'done' });
    expectStill(t);
  });

  it('cancel without an active action: the skill is done at once, the method reports that nothing was active', async () => {
    const t = await createTestRuntime();
    expect(t.start('cancel').reply).toMatchObject({ status: 'done', result: { cancelled_action_ids: [] } });
    expect(t.read('runtime.cancel', { options: { action_id: 'cancel-active' } }).error.code).toBe('ACTION_NOT_FOUND');
  });

  it('cancel stops head and base together; a repeated cancel gets the same answer; an ended action cannot be cancelled', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_C'), { action_id: 'walk' });
    const looking = t.start('set_head', { yaw: 1.2 }, { action_id: 'look' });
    t.advance(15);
    const first = t.finish(t.send('runtime.cancel', { options: { action_id: 'cancel-active' } }));
    expect(first.meta.action_id).toBe('walk');
    t.stepUntil(() => looking.replies > 0, 1);
    expect([walking.reply.error.code, looking.reply.error.code]).toEqual(['CANCELLED', 'CANCELLED']);
    expect(t.read('runtime.cancel', { options: { action_id: 'walk' } })).toEqual(first);
    t.invoke('set_sim_speed', { speed: 1 }, { action_id: 'quick' });
    expect(t.read('runtime.cancel', { options: { action_id: 'quick' } }).error.message).toMatch(/already ended \(done\)/);
  });
});

describe('P7 a stop ends no other stop', () => {
  /** Walks across the hall, then stops twice. */
  const walking = async (): Promise<TestRuntime> => {
    const t = await createTestRuntime({ seed: 1, sceneId: 'hall' });
    t.start('go_to', entity('pad_2'), { action_id: 'walk' }, 'alice');
    t.advance(150);
    return t;
  };

  it.each([0, 1, 9])('a second cancel %i steps after the first, seed 1: both are done when the robot stands', async (steps) => {
    const t = await walking();
    const first = t.start('cancel', {}, { action_id: 'stop-1' }, 'alice');
    t.advance(steps);
    const second = t.start('cancel', {}, { action_id: 'stop-2' }, 'bob');
    t.stepUntil(() => first.replies > 0 && second.replies > 0, STOP_WITHIN_S);
    for (const { reply } of [first, second])
      expect(reply, JSON.stringify(reply)).toMatchObject({ status: 'done', result: { cancelled_action_ids: ['walk'] } });
    expectStill(t);
  });

  it.each(['stop-1', 'cancel-active'])('runtime.cancel of %s leaves a running stop alone', async (actionId) => {
    const t = await walking();
    const first = t.start('cancel', {}, { action_id: 'stop-1' }, 'alice');
    t.advance(9);
    const second = t.send('runtime.cancel', { options: { action_id: actionId } }, 'bob');
    t.stepUntil(() => first.replies > 0 && second.replies > 0, STOP_WITHIN_S);
    expect(first.reply).toMatchObject({ status: 'done', result: { cancelled_action_ids: ['walk'] } });
    if (actionId === 'stop-1') expect(second.reply).toEqual(first.reply);
    else
      expect(second.reply).toMatchObject({
        error: { code: 'CANCELLED', details: { cancelled_by: 'alice' } },
        meta: { action_id: 'walk' },
      });
    expect(t.cancels.map(({ actionId: id }) => id)).toEqual([]);
  });

  it('the page and a program stop the robot in the same step', async () => {
    const t = await walking();
    t.runtime.cancelActive(t.nowMs, PAGE);
    const second = t.start('cancel', {}, { action_id: 'stop-2' }, 'bob');
    expect(t.finish(second, STOP_WITHIN_S)).toMatchObject({ status: 'done', result: { cancelled_action_ids: ['walk'] } });
    t.advance(2);
    const stops = t.records.filter(({ name, finishedAtMs }) => name === 'cancel' && finishedAtMs !== null);
    expect(stops.map(({ status }) => status)).toEqual(['done', 'done']);
  });
});

describe("P8 deadlines are the runtime's", () => {
  it('at its deadline the runtime stops the walk itself and answers with its progress; no motion outlives it', async () => {
    const t = await createTestRuntime();
    const startedAtMs = t.nowMs;
    const reply = t.invoke('go_to', entity('pad_C'), { deadline_s: 2 });
    expect(reply).toMatchObject({
      status: 'failed',
      error: { code: 'DEADLINE_EXCEEDED', details: { attempted: true, world_changed: 'yes', deadline_s: 2, phase: 'walking' } },
    });
    expect(reply.error.details.progress.current).toBeGreaterThan(0.2);
    expect(t.nowMs - startedAtMs).toBeGreaterThanOrEqual(2_000);
    expect(t.nowMs - startedAtMs).toBeLessThan(2_000 + STOP_WITHIN_S * 1000 + 20);
    expectStill(t);
  });

  it('the deadline is in wall time: a slow simulation does not extend it', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_C'), { deadline_s: 1 });
    t.advance(10);
    t.nowMs += 1_000;
    t.advance(61);
    expect(walking.reply.error.code).toBe('DEADLINE_EXCEEDED');
  });

  it('a pick that reaches its deadline leaves the hands in a consistent state', async () => {
    const t = await startAt(0.94, -1.8, 0);
    const reply = t.invoke('pick_entity', entity('cube_0'), { deadline_s: 0.7 });
    expect(reply.error.code).toBe('DEADLINE_EXCEEDED');
    expect(jointCount(t.core)).toBe(0);
    expectStill(t, BRAKED_M);
    expect(t.invoke('pick_entity', entity('cube_0'), { deadline_s: 30 }).status).toBe('done');
  });
});

describe('P13 a frozen tab', () => {
  it('a frozen tab ends running actions with RUNTIME_SUSPENDED and the length of the gap, and the robot stops', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_C'));
    t.advance(240);
    t.nowMs += 4_200;
    t.runtime.noteSuspended(4_200, t.nowMs);
    t.finish(walking, 1);
    expect(walking.reply.error).toMatchObject({ code: 'RUNTIME_SUSPENDED', details: { gap_ms: 4_200, stage: 'readiness' } });
    expect(walking.reply.error.message).toContain('4.2 s');
    expectStill(t);
    expect(t.read('runtime.state').robot.extra.sim.suspended_ms).toBe(4_200);
  });
});
