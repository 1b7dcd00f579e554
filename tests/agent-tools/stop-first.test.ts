/** P7: no motion begins after a stop that was called later. */
import { expect, test } from 'vitest';
import { createAgent } from '../../src/agent-tools/agent.ts';
import type { RobotAccess } from '../../src/agent-tools/robot-access.ts';

const STATE = {
  runtime: {},
  robot: { pose: { position: [1, 2, 0], yaw_deg: 90 }, status: 'ready', held_entity_ids: [], extra: {} },
};

/** An agent whose robot reports its contract when the test wants. */
function agentWhoMeets(meet: () => Promise<void>, profile: RobotAccess['profile']) {
  const calls: string[] = [];
  let ids = 0;
  const agent = createAgent({
    robot: {
      profile,
      identity: undefined,
      meet,
      async invoke(skill, _input, { actionId }) {
        calls.push(skill);
        return { status: 'done', result: {}, meta: { action_id: actionId } };
      },
      read: async () => STATE,
      cancel: async () => ({}),
      control: async () => ({}),
      takePicture: async () => ({ reply: null, jpeg: null }),
    },
    place: { robotModel: null, watchUrl: null, instruction: null, isExam: false, restart: null },
    clock: { nowMs: () => 0, pause: () => new Promise(() => undefined) },
    agentName: () => 'Test',
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
  });
  agent.allowMotion();
  const { signal } = new AbortController();
  return { calls, use: async (tool: string, input: object) => (await agent.call(tool, input, { signal })).reply };
}

test.each([
  ['worker', 'stop'],
  ['simulator', 'cancel'],
] as const)('a drive that learns the contract of the %s does not begin after a stop', async (profile, stopSkill) => {
  let meets = (): void => undefined;
  const { calls, use } = agentWhoMeets(() => new Promise((resolve) => (meets = resolve)), profile);
  const driving = use('drive', { vx: 0.3, seconds: 1 });
  expect((await use('stop', {})).facts.status).toBe('done');
  meets();
  expect((await driving).facts).toMatchObject({ status: 'failed', code: 'CANCELLED', attempted: false });
  expect(calls).toEqual([stopSkill]);
});

test('a stop does not wait for the contract', async () => {
  const { calls, use } = agentWhoMeets(() => new Promise(() => undefined), 'simulator');
  await use('stop', {});
  expect(calls).toEqual(['cancel']);
});
