/**
 * One caller poses the arms: a session is that caller's, and every command, also a cancel, is reported under the name of its
 * caller.
 */

import { describe, expect, it } from 'vitest';
import { RESULTS_KEPT_MIN } from '../../../src/protocol/wire/limits.ts';
import * as joints from '../../../src/simulation/humanoid/joint-arms.ts';
import { humanoidOf } from '../../../src/simulation/humanoid/robot.ts';
import type { TestRuntime } from '../test-runtime.ts';
import { advanceMs, control, createRcw, REACHING, rcwStateOf, STANDING } from './rcw-runtime.ts';

const pose = (t: TestRuntime, caller: string, at = REACHING, actionId?: string) =>
  t.start('set_upper_body', at, actionId === undefined ? undefined : { action_id: actionId }, caller).reply;
const signedPose = (t: TestRuntime, grantId: string, carrier: string) =>
  t.sendText('runtime.tools_call', JSON.stringify({ name: 'set_upper_body', input: REACHING }), carrier, {
    holder: 'client',
    grantId,
  }).reply;
const sessions = (t: TestRuntime) => t.records.filter(({ name }) => name === 'set_upper_body');
const running = (t: TestRuntime) => [...t.core.ledger.active.values()].map(({ caller }) => caller);

describe('another caller’s packet', () => {
  it('another caller’s packet ends the first session with its author, and opens the caller’s own', async () => {
    const t = await createRcw();
    pose(t, 'first');
    t.advance(5);
    const first = t.read('runtime.state').runtime.active_action;
    pose(t, 'second');
    const second = t.read('runtime.state').runtime.active_action;
    expect(second.action_id).not.toBe(first.action_id);
    expect(t.read('runtime.action', { action_id: first.action_id }).error).toMatchObject({
      code: 'CANCELLED',
      details: {
        superseded_by: second.action_id,
        superseder: { kind: 'participant', identity: 'second' },
        attempted: true,
        progress: { current: 1, unit: 'packets' },
      },
    });
    expect(running(t)).toEqual([{ kind: 'participant', identity: 'second' }]);
    expect(t.accepted.map(({ caller }) => caller)).toEqual([
      { kind: 'participant', identity: 'first' },
      { kind: 'participant', identity: 'second' },
    ]);
  });

  it('another caller’s packet leaves the arms no moment without a target, and the watchdog counts from it', async () => {
    const t = await createRcw();
    const seen = new Set<string>();
    for (let n = 0; n < 15; n += 1) {
      pose(t, n % 2 === 0 ? 'second' : 'first');
      for (let step = 0; step < 12; step += 1) {
        seen.add(joints.mode(humanoidOf(t.core.world)));
        t.advance();
      }
    }
    expect([...seen]).toEqual(['trajectory']);
    expect(control(t).upper_body).toMatchObject({ commanded: REACHING, timeouts: 0 });
    const arms = Array.from(t.core.world.body.jointPositions.subarray(13, 23));
    const wanted = [...REACHING.r_arm, ...REACHING.l_arm];
    expect(Math.max(...arms.map((rad, joint) => Math.abs(rad - (wanted[joint] ?? Number.NaN))))).toBeLessThan(0.05);
    advanceMs(t, 300);
    expect(t.ended.at(-1)).toMatchObject({ caller: { identity: 'second' }, result: { error: { code: 'TRAJECTORY_TIMEOUT' } } });
  });

  it('a packet of the same holder continues the session; under another grant or carrier it belongs to another caller, because holders choose their names', async () => {
    const t = await createRcw(true);
    for (const [grantId, carrier] of [
      ['grant-1', 'one'],
      ['grant-1', 'one'],
      ['grant-2', 'one'],
      ['grant-2', 'two'],
    ] as const) {
      expect(signedPose(t, grantId, carrier).status).toBe('done');
    }
    expect(t.accepted.map(({ caller }) => caller)).toMatchObject([
      { grantId: 'grant-1', carrier: 'one' },
      { grantId: 'grant-2', carrier: 'one' },
      { grantId: 'grant-2', carrier: 'two' },
    ]);
  });

  it('frequent changes of the caller cost no one a repeatable result, and the ledger stays small', async () => {
    const t = await createRcw();
    const stood = t.invoke('stop', {}, { action_id: 'first-stop' });
    for (let n = 0; n < 3 * RESULTS_KEPT_MIN; n += 1) pose(t, n % 2 === 0 ? 'agent' : 'other');
    const { active, ended, unrepeatable } = t.core.ledger;
    expect([active.size, ended.size, unrepeatable.size]).toEqual([1, 1, RESULTS_KEPT_MIN]);
    expect(t.start('stop', {}, { action_id: 'first-stop' }).reply).toEqual(stood);
  });

  it('any number of packets of another caller leaves those of the first remembered: their repeat is not followed', async () => {
    const t = await createRcw();
    const first = pose(t, 'first', REACHING, 'mine');
    for (let n = 0; n < 1_500; n += 1) pose(t, 'flood', STANDING, `flood-${n}`);
    expect(pose(t, 'first', REACHING, 'mine')).toEqual(first);
    expect(control(t).upper_body.commanded).toEqual(STANDING);
    expect(rcwStateOf(t).packets.size).toBeLessThanOrEqual(1_024);
  });

  it('a velocity that takes the arms back names its caller', async () => {
    const t = await createRcw();
    pose(t, 'first');
    t.advance();
    t.start('set_velocity', { vx: 0.1 }, { action_id: 'walk' }, 'second');
    t.advance();
    expect(sessions(t).at(-1)?.result).toMatchObject({
      status: 'done',
      result: {
        taken_back_by: 'set_velocity',
        taker_action_id: 'walk',
        taker: { kind: 'participant', identity: 'second' },
      },
    });
  });
});

describe('a cancel', () => {
  const cancel = (t: TestRuntime, actionId: string, caller: string) =>
    t.send('runtime.cancel', { options: { action_id: actionId } }, caller);

  it('a cancel is reported once, with its caller, for each action that it stopped', async () => {
    const t = await createRcw();
    t.start('set_velocity', { vx: 0.3 }, { action_id: 'walk' }, 'first');
    t.advance(120);
    t.start('stop', {}, { action_id: 'halt' }, 'first');
    pose(t, 'first');
    const session = sessions(t).at(-1)?.actionId;
    cancel(t, 'cancel-active', 'second');
    cancel(t, 'cancel-active', 'second');
    expect(t.cancels).toMatchObject([
      { actionId: 'halt', name: 'stop', by: { identity: 'second' }, atMs: Math.round(t.nowMs) },
      { actionId: session, name: 'set_upper_body', by: { identity: 'second' } },
    ]);
  });

  it('a cancel that stops nothing does not count as a command', async () => {
    const t = await createRcw();
    cancel(t, 'cancel-active', 'second');
    cancel(t, 'nobody', 'second');
    expect(t.cancels).toEqual([]);
  });
});
