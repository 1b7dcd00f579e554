import { describe, expect, it } from 'vitest';
import { createAgent } from '../../src/agent-tools/agent.ts';
import type { RobotAccess, SkillReply } from '../../src/agent-tools/robot-access.ts';

interface Call {
  skill: string;
  input: object;
  deadlineS: number | undefined;
}

/** A robot with the physical robot's contract that records its calls. A pause ends when the test ends it, or with its signal. */
function physicalRobot() {
  const calls: Call[] = [];
  /** Returned by the next calls instead of success. */
  const answers: SkillReply[] = [];
  const extra: Record<string, unknown> = {};
  let endPause = (): void => undefined;
  const robot: RobotAccess = {
    profile: 'worker',
    identity: 'agent',
    async invoke(skill, input, { actionId, deadlineS }) {
      calls.push({ skill, input, deadlineS });
      const given = answers.shift();
      if (given) return given;
      const result = skill === 'stop' ? { stopped: true } : { command: input, holds: true };
      return { status: 'done', result, meta: { action_id: actionId } };
    },
    read: async () => ({
      runtime: {},
      robot: { pose: { position: [1, 2, 0], yaw_deg: 90 }, status: 'ready', held_entity_ids: [], extra },
    }),
    cancel: async () => ({}),
    control: async () => ({}),
    takePicture: async () => ({ reply: null, jpeg: null }),
  };
  let ids = 0;
  const agent = createAgent({
    robot,
    place: { robotModel: null, watchUrl: null, instruction: null, isExam: false, restart: null },
    clock: {
      nowMs: () => 0,
      pause: (_ms, signal) =>
        new Promise((resolve) => {
          endPause = resolve;
          signal?.addEventListener('abort', () => resolve(), { once: true });
        }),
    },
    agentName: () => 'Test',
    newId: () => `id-${++ids}`,
  });
  return { agent, calls, answers, extra, endPause: () => endPause() };
}

const neverAborted = { signal: new AbortController().signal };
const untilCalled = async (calls: Call[], count: number): Promise<void> => {
  while (calls.length < count) await new Promise((resolve) => setImmediate(resolve));
};

describe('a robot with the physical contract', () => {
  it('does not move before a person has allowed the first motion', async () => {
    const { agent, calls } = physicalRobot();
    const { reply } = await agent.call('drive', { vx: 0.3, seconds: 1 }, neverAborted);
    expect(reply.isError).toBe(true);
    expect(reply.facts).toMatchObject({ code: 'PERMISSION_DENIED', attempted: false });
    expect(calls).toEqual([]);
    expect(await agent.question('drive')).toContain('May this agent move the robot?');
    expect(await agent.question('stop')).toBeNull();
  });

  it('drives with a velocity that the robot itself ends, and is stopped after the given time', async () => {
    const { agent, calls, endPause } = physicalRobot();
    agent.allowMotion();
    const call = agent.call('drive', { vx: 0.3, wz: -0.2, seconds: 2 }, neverAborted);
    await untilCalled(calls, 1);
    endPause();
    const { reply } = await call;
    expect(calls).toEqual([
      { skill: 'set_velocity', input: { vx: 0.3, vy: 0, vyaw: -0.2 }, deadlineS: 2 },
      { skill: 'stop', input: {}, deadlineS: undefined },
    ]);
    expect(reply.facts).toMatchObject({ status: 'done', evidence: { stopped: true } });
    expect(await agent.question('drive')).toBeNull();
  });

  it('is stopped at once when the client cancels the drive', async () => {
    const { agent, calls } = physicalRobot();
    agent.allowMotion();
    const cancel = new AbortController();
    const call = agent.call('drive', { vx: 0.3, seconds: 10 }, { signal: cancel.signal });
    await untilCalled(calls, 1);
    cancel.abort();
    await call;
    await untilCalled(calls, 2);
    expect(calls.map(({ skill }) => skill)).toEqual(['set_velocity', 'stop']);
    const { reply } = await agent.call('wait', {}, neverAborted);
    expect(reply.facts).toMatchObject({ status: 'failed', code: 'CANCELLED', world_changed: 'yes' });
  });

  it('stops by the skill of its contract, also before a person has allowed motions', async () => {
    const { agent, calls } = physicalRobot();
    const { reply } = await agent.call('stop', {}, neverAborted);
    expect(calls.map(({ skill }) => skill)).toEqual(['stop']);
    expect(reply.facts).toMatchObject({ status: 'done', at_rest: true });
  });

  it('is stopped again if the stop of a drive that ends at the same time replaces the stop', async () => {
    const { agent, calls, answers } = physicalRobot();
    answers.push({ status: 'failed', error: { code: 'CANCELLED', message: 'The action was replaced by stop.' } });
    const { reply } = await agent.call('stop', {}, neverAborted);
    expect(calls.map(({ skill }) => skill)).toEqual(['stop', 'stop']);
    expect(reply.facts).toMatchObject({ status: 'done', at_rest: true });
  });

  it('reports who latched its emergency stop and why, and that it stands', async () => {
    const { agent, answers, extra } = physicalRobot();
    extra.emergency_stop = { by: 'eye', by_name: 'Ada', since_ms: 0, reason: 'a child in the way' };
    const status = await agent.call('robot_status', {}, neverAborted);
    expect(status.reply.facts).toMatchObject({
      status: 'emergency_stopped',
      emergency_stop: { by: 'Ada', reason: '“a child in the way”' },
    });
    expect(status.reply.said).toContain('latched by Ada, reason: “a child in the way”');
    const details = { emergency_stop: true, attempted: false, world_changed: 'no' };
    answers.push({ status: 'failed', error: { code: 'NOT_READY', message: 'The emergency stop is latched.', details } });
    const stopped = await agent.call('stop', {}, neverAborted);
    expect(stopped.reply.facts).toMatchObject({ status: 'done', at_rest: true });
    expect(stopped.reply.said).toContain('latched by Ada');
    agent.allowMotion();
    answers.push({ status: 'failed', error: { code: 'NOT_READY', message: 'The emergency stop is latched.', details } });
    answers.push({ status: 'failed', error: { code: 'NOT_READY', message: 'The emergency stop is latched.', details } });
    const driven = await agent.call('drive', { vx: 0.2, seconds: 1 }, neverAborted);
    expect(driven.reply.facts).toMatchObject({
      code: 'NOT_READY',
      hint: 'Ask a person at the robot to release the emergency stop.',
    });
  });

  it('rejects tools for which its contract has no skill', async () => {
    const { agent, calls } = physicalRobot();
    agent.allowMotion();
    const { reply } = await agent.call('pick', { id: 'cube_1' }, neverAborted);
    expect(reply.said).toContain("keeps the physical robot's contract");
    expect(calls).toEqual([]);
  });
});
