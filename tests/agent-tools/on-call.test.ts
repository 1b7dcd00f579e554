/** The observer of an agent's calls. */
import { expect, it } from 'vitest';
import { type CallEvent, createAgent } from '../../src/agent-tools/agent.ts';

const unreachable = () => Promise.reject(new Error('The robot is not reachable.'));

function agentWith(onCall: (event: CallEvent) => void) {
  return createAgent({
    robot: {
      profile: 'simulator',
      identity: 'agent',
      invoke: unreachable,
      read: unreachable,
      cancel: unreachable,
      control: unreachable,
      takePicture: unreachable,
    },
    place: { robotModel: null, clock: 'real', watchUrl: null, instruction: null, isExam: false, restart: null },
    clock: { nowMs: () => 0, pause: async () => undefined },
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
