/** The rules of set_upper_body and of its trajectory session. */
import { describe, expect, it } from 'vitest';
import type { TestRuntime } from '../test-runtime.ts';
import { advanceMs, control, createRcw, REACHING, STANDING } from './rcw-runtime.ts';

const STEP_MS = 1000 / 120;
const mode = (t: TestRuntime): string => control(t).upper_body.mode;
const arms = (t: TestRuntime): number[] => Array.from(t.core.world.body.jointPositions.subarray(13, 23));
const farthest = (t: TestRuntime, pose: typeof STANDING): number =>
  Math.max(...[...pose.r_arm, ...pose.l_arm].map((rad, index) => Math.abs(rad - (arms(t)[index] ?? Number.NaN))));

/** Sends a pose at a rate for a time. */
function stream(t: TestRuntime, pose: typeof STANDING, rateHz: number, forMs: number): void {
  const endMs = t.nowMs + forMs;
  for (let dueMs = t.nowMs; t.nowMs < endMs; t.advance()) {
    if (t.nowMs < dueMs - 1e-6) continue;
    expect(t.start('set_upper_body', pose).reply.status).toBe('done');
    dueMs += 1000 / rateHz;
  }
}

describe('set_upper_body: the parameters', () => {
  it.each([
    ['four numbers', [0, 0, 0, 0]],
    ['six numbers', [0, 0, 0, 0, 0, 0]],
    ['none', []],
    ['a word among them', [0, 0, 'x', 0, 0]],
    ['null among them', [0, 0, null, 0, 0]],
    ['a truth value', [0, true, 0, 0, 0]],
    ['an object', { 0: 0, length: 5 }],
    ['a text', '0,0,0,0,0'],
    ['nothing', undefined],
  ])('an arm of %s is INVALID_INPUT, on either side, and no arm moves', async (_what, arm) => {
    const t = await createRcw();
    for (const input of [
      { r_arm: arm, l_arm: STANDING.l_arm },
      { r_arm: STANDING.r_arm, l_arm: arm },
    ]) {
      expect(t.start('set_upper_body', input).reply.error.code).toBe('INVALID_INPUT');
    }
    expect(mode(t)).toBe('policy');
  });

  it.each(['NaN', 'Infinity', '-Infinity', '1e999'])('%s is INVALID_INPUT', async (number) => {
    const t = await createRcw();
    const payload = `{"name":"set_upper_body","input":{"r_arm":[0,0,0,${number},0],"l_arm":[0,0,0,0,0]}}`;
    expect(t.sendText('runtime.tools_call', payload).reply.error.code).toBe('INVALID_INPUT');
    expect(mode(t)).toBe('policy');
  });

  it('whole numbers are accepted as numbers', async () => {
    const t = await createRcw();
    expect(t.start('set_upper_body', { r_arm: [0, 1, 0, -1, 0], l_arm: [0, -1, 0, 1, 0] }).reply.status).toBe('done');
  });

  it('unknown parameters are dropped', async () => {
    const t = await createRcw();
    expect(t.start('set_upper_body', { ...STANDING, duration_s: 5, legs: [1] }).reply.status).toBe('done');
  });

  it('the range is not checked, and the arm stops at its own end', async () => {
    const t = await createRcw();
    stream(t, { r_arm: [0, 0, 0, -9, 0], l_arm: [0, 0, 0, 9, 0] }, 50, 2_000);
    expect(control(t).upper_body.commanded.r_arm[3]).toBe(-9);
    expect(arms(t)[3]).toBeGreaterThan(-2.6);
    expect(arms(t)[3]).toBeLessThan(-2.3);
  });

  it('the targets are 23 numbers in policy order, the first 13 zero, for the upper body only', async () => {
    const t = await createRcw();
    const { result } = t.start('set_upper_body', REACHING).reply;
    expect(result.policy_targets).toEqual([...new Array(13).fill(0), ...REACHING.r_arm, ...REACHING.l_arm]);
    expect(result).toMatchObject({ upper_body_only: true, timeout_ms: 200 });
  });

  it('the legs and the waist do not follow the zeros', async () => {
    const t = await createRcw();
    const legs = () => Array.from(t.core.world.body.jointPositions.subarray(0, 13));
    const before = legs();
    stream(t, REACHING, 50, 1_000);
    expect(Math.max(...legs().map((rad, index) => Math.abs(rad - (before[index] ?? 0))))).toBeLessThan(0.05);
  });

  it('the order is shoulder pitch, roll, yaw, elbow, wrist yaw; the catalogue’s text differs and a note explains it', async () => {
    const t = await createRcw();
    const skill = t.read('runtime.tools_list').find(({ name }: { name: string }) => name === 'set_upper_body');
    expect(skill.description).toMatch(/shoulder roll, shoulder pitch, elbow/);
    expect(skill.description).toMatch(
      /these joint names are wrong.*0 shoulder pitch, 1 shoulder roll, 2 shoulder yaw, 3 elbow, 4 wrist yaw/,
    );
    const bent = { r_arm: [0, 0, 0, -1.2, 0], l_arm: [0, 0, 0, 1.2, 0] };
    stream(t, bent, 50, 1_500);
    const { joints } = t.read('runtime.state').robot.extra;
    expect(joints.right_elbow).toBeCloseTo(-1.2, 1);
    expect(joints.left_elbow).toBeCloseTo(1.2, 1);
  });

  it('the standing pose is where the arms hang while standing', async () => {
    const t = await createRcw();
    t.advance(120);
    expect(farthest(t, STANDING)).toBeLessThan(0.02);
  });
});

describe('the trajectory session', () => {
  it('a session opens with the call, and the arms follow its targets', async () => {
    const t = await createRcw();
    stream(t, REACHING, 50, 1_500);
    expect(mode(t)).toBe('trajectory');
    expect(farthest(t, REACHING)).toBeLessThan(0.05);
    expect(t.read('runtime.state').runtime.active_action).toMatchObject({ name: 'set_upper_body' });
  });

  it('200 ms without a packet let the arms go limp: not a step before, not later than the step after', async () => {
    const t = await createRcw();
    stream(t, REACHING, 50, 1_000);
    const lastMs = t.nowMs;
    t.start('set_upper_body', REACHING);
    while (mode(t) === 'trajectory') t.advance();
    expect(mode(t)).toBe('damp');
    expect(t.nowMs - lastMs).toBeGreaterThanOrEqual(200);
    expect(t.nowMs - lastMs).toBeLessThanOrEqual(200 + STEP_MS + 1e-6);
    expect(control(t).upper_body.timeouts).toBe(1);
  });

  it('calls that leave no time for steps do not delay the watchdog: the next call finds the arms limp', async () => {
    const t = await createRcw();
    stream(t, REACHING, 50, 500);
    t.start('set_upper_body', REACHING);
    t.nowMs += 200;
    expect(mode(t)).toBe('damp');
    expect(t.read('runtime.state').runtime.last_action.error.details).toMatchObject({ after_ms: 200, turn_gap_ms: 200 });
  });

  it('a packet that arrives too late opens a new session, and the timeout is counted', async () => {
    const t = await createRcw();
    t.start('set_upper_body', REACHING);
    t.nowMs += 250;
    expect(t.start('set_upper_body', REACHING).reply.status).toBe('done');
    expect(control(t).upper_body).toMatchObject({ mode: 'trajectory', timeouts: 1 });
  });

  it('at 10 Hz the arms never go limp', async () => {
    const t = await createRcw();
    stream(t, REACHING, 10, 20_000);
    expect(control(t).upper_body).toMatchObject({ mode: 'trajectory', timeouts: 0 });
  });

  it('at 4 Hz the arms go limp again and again', async () => {
    const t = await createRcw();
    stream(t, REACHING, 4, 2_000);
    expect(control(t).upper_body.timeouts).toBe(8);
  });

  it('limp arms fall: the pose is lost', async () => {
    const t = await createRcw();
    stream(t, REACHING, 50, 1_500);
    advanceMs(t, 3_000);
    expect(farthest(t, REACHING)).toBeGreaterThan(0.4);
    // Hanging: both shoulders carry nothing forward any more.
    expect(Math.abs(arms(t)[0] ?? 9)).toBeLessThan(0.5);
    expect(Math.abs(arms(t)[5] ?? 9)).toBeLessThan(0.5);
  });

  it('the end of a session is reported: TRAJECTORY_TIMEOUT with the packets it had', async () => {
    const t = await createRcw();
    stream(t, REACHING, 20, 500);
    advanceMs(t, 300);
    expect(t.read('runtime.state').runtime.last_action).toMatchObject({
      name: 'set_upper_body',
      status: 'failed',
      error: { code: 'TRAJECTORY_TIMEOUT', details: { packets: 10, timeout_ms: 200 } },
    });
    const { after_ms: afterMs, turn_gap_ms: turnGapMs } = t.read('runtime.state').runtime.last_action.error.details;
    expect(afterMs).toBeGreaterThanOrEqual(200);
    expect(afterMs).toBeLessThanOrEqual(209);
    // A step: nothing delayed the runtime.
    expect(turnGapMs).toBe(8);
  });

  it('a packet after the fall opens a new session', async () => {
    const t = await createRcw();
    stream(t, REACHING, 50, 200);
    advanceMs(t, 1_000);
    expect(mode(t)).toBe('damp');
    stream(t, STANDING, 50, 1_500);
    expect(mode(t)).toBe('trajectory');
    expect(farthest(t, STANDING)).toBeLessThan(0.05);
  });

  it.each([
    ['a velocity', 'set_velocity', { vyaw: 0.2 }],
    ['a zero velocity', 'set_velocity', {}],
    ['stop', 'stop', {}],
  ])('locomotion takes the upper body back on %s, and the watchdog is disarmed', async (_what, name, input) => {
    const t = await createRcw();
    stream(t, REACHING, 50, 1_000);
    t.invoke(name, input);
    expect(mode(t)).toBe('policy');
    advanceMs(t, 2_000);
    expect(control(t).upper_body).toMatchObject({ mode: 'policy', timeouts: 0, commanded: null, packet_age_ms: null });
    expect(t.records.find((record) => record.name === 'set_upper_body' && record.status !== 'running')).toMatchObject({
      status: 'done',
    });
  });

  it('limp arms recover with a velocity too', async () => {
    const t = await createRcw();
    stream(t, REACHING, 50, 100);
    advanceMs(t, 1_000);
    t.invoke('set_velocity', {});
    advanceMs(t, 1_500);
    expect(mode(t)).toBe('policy');
    expect(farthest(t, STANDING)).toBeLessThan(0.05);
  });

  it('the same packet again (a repeat of the transport) is answered and not followed', async () => {
    const t = await createRcw();
    const first = t.start('set_upper_body', REACHING, { action_id: 'p1' }).reply;
    t.start('set_upper_body', STANDING, { action_id: 'p2' });
    const again = t.start('set_upper_body', REACHING, { action_id: 'p1' }).reply;
    expect(again).toEqual(first);
    expect(control(t).upper_body.commanded).toEqual(STANDING);
    expect(t.start('set_upper_body', REACHING, { action_id: 'p2' }).reply.error.code).toBe('DUPLICATE_ACTION');
  });

  it('a session is one entry of the list, however many packets it has, and leaves the ledger small', async () => {
    const t = await createRcw();
    stream(t, STANDING, 50, 2_000);
    t.invoke('stop');
    expect(t.ended.filter(({ name }) => name === 'set_upper_body')).toHaveLength(1);
    expect(new Set(t.records.filter(({ name }) => name === 'set_upper_body').map(({ actionId }) => actionId)).size).toBe(1);
  });

  it('a walk with posed arms: the session continues until a velocity arrives, which ends it', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vx: 0.3 });
    stream(t, REACHING, 50, 500);
    expect(control(t)).toMatchObject({ velocity_holds: true, upper_body: { mode: 'trajectory' } });
    t.invoke('set_velocity', { vx: 0.2 });
    expect(control(t)).toMatchObject({ velocity_holds: true, upper_body: { mode: 'policy' } });
  });
});
