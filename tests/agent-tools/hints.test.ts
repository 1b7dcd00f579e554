import { describe, expect, it } from 'vitest';
import { fakeRobot } from './helpers/fake-robot.ts';

const failed = (code: string, message: string, details: object) => ({
  status: 'failed' as const,
  error: { code, message, details: { attempted: false, ...details } },
});

describe('a rejected motion', () => {
  it('does not take the place of the running one that wait returns', async () => {
    const { use, agent, answer, calls } = fakeRobot();
    const signal = new AbortController().signal;
    const walk = agent.call('go_to', { to: 'pad_A' }, { signal });
    while (calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    answer.invoke = ({ end }) => end(failed('BUSY', 'go_to is running.', {}));
    await use('pick', { id: 'cube_1' });
    const waited = agent.call('wait', {}, { signal });
    const actionId = calls[0]?.actionId ?? '';
    calls[0]?.end({ status: 'done', result: {}, meta: { action_id: actionId } });
    expect((await waited).reply.facts).toMatchObject({ status: 'done', action_id: actionId });
    await walk;
  });

  it('names tools, not methods of the runtime, and repeats no advice', async () => {
    const { use, answer } = fakeRobot();
    const hint = 'Go nearer first: go_to cube_1 stops within reach of it.';
    answer.invoke = ({ end }) =>
      end(failed('OUT_OF_REACH', `cube_1 is out of reach. ${hint} runtime.scene_state lists all of them.`, { hint }));
    const { said } = await use('pick', { id: 'cube_1' });
    expect(said).toContain('cube_1 is out of reach. Call go_to with this id first.');
    expect(said).not.toMatch(/runtime\.|Go nearer/);
  });

  it('keeps the advice of the robot for a skill that a step nearer does not help', async () => {
    const { use, answer } = fakeRobot();
    const hint = 'Step back from it first.';
    answer.invoke = ({ end }) => end(failed('OUT_OF_REACH', `cube_1 is too low to be seen. ${hint}`, { hint }));
    const { said, facts } = await use('look_at', { id: 'cube_1' });
    expect(said).toContain(hint);
    expect(facts.hint).toBe(hint);
  });
});
