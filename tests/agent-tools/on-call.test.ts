/** The observer of an agent's calls. */
import { expect, it } from 'vitest';
import { type CallEvent, createAgent } from '../../src/agent-tools/agent.ts';
import type { SkillReply } from '../../src/agent-tools/robot-access.ts';

const unreachable = () => Promise.reject(new Error('The robot is not reachable.'));

function agentWith(onCall: (event: CallEvent) => void, invoke?: () => Promise<SkillReply>) {
  return createAgent({
    robot: {
      profile: 'simulator',
      identity: 'agent',
      invoke: invoke ?? unreachable,
      read: unreachable,
      cancel: unreachable,
      control: unreachable,
      takePicture: unreachable,
    },
    place: { robotModel: null, watchUrl: null, instruction: null, isExam: false, restart: null },
    // Time passes only for a robot that does not answer.
    clock: { nowMs: () => 0, pause: invoke ? () => new Promise(() => undefined) : async () => undefined },
    agentName: () => 'Test',
    newId: () => 'id',
    onCall,
  });
}
const options = () => ({ signal: new AbortController().signal });

it('reports the start and the end of each call, with arguments and reply, also of a refused one', async () => {
  const events: CallEvent[] = [];
  const agent = agentWith((event) => events.push(event));
  const unknown = await agent.call('fly', { height: 3 }, options());
  const invalid = await agent.call('drive', { seconds: 'long' }, options());
  expect(events).toEqual([
    { kind: 'started', number: 1, tool: 'fly', input: { height: 3 } },
    { kind: 'ended', number: 1, tool: 'fly', reply: unknown.reply },
    { kind: 'started', number: 2, tool: 'drive', input: { seconds: 'long' } },
    { kind: 'ended', number: 2, tool: 'drive', reply: invalid.reply },
  ]);
  expect(unknown.reply.isError && invalid.reply.isError).toBe(true);
});

it('answers a call although its observer throws', async () => {
  const agent = agentWith(() => {
    throw new Error('The observer broke.');
  });
  expect((await agent.call('fly', {}, options())).reply.said).toContain('There is no tool');
});

it('reports each step of a plan when it begins and when it ends', async () => {
  const events: CallEvent[] = [];
  const replies: SkillReply[] = [
    { status: 'done' },
    { status: 'failed', error: { code: 'BUSY', message: 'Something else runs.' } },
  ];
  const agent = agentWith(
    (event) => events.push(event),
    async () => replies.shift() ?? { status: 'done' },
  );
  const step = { tool: 'drive', input: { seconds: 1 } };
  await agent.call('run_plan', { steps: [step, step, step] }, options());
  const seen = events.map((event) =>
    event.kind === 'step' ? [event.number, event.step.at, event.step.reply?.isError] : event.kind,
  );
  expect(seen).toEqual(['started', [1, 0, undefined], [1, 0, false], [1, 1, undefined], [1, 1, true], 'ended']);
});
