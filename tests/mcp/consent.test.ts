import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent-tools/agent.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { watchTransport } from './helpers/wire-check.ts';

const watched: string[][] = [];
afterEach(() => expect(watched.splice(0).flat()).toEqual([]));

/** An agent whose tools need the consent of a person. */
function askingAgent() {
  let isAllowed = false;
  const called: string[] = [];
  const agent: Agent = {
    async call(tool) {
      called.push(`${tool}: ${isAllowed ? 'allowed' : 'not allowed'}`);
      return { reply: { said: 'Done.', facts: { said: 'Done.' }, isError: false }, delivered: () => undefined };
    },
    question: async () => (isAllowed ? null : 'May this agent move the robot?'),
    allowMotion() {
      isAllowed = true;
    },
    timeline: () => [],
    end: async () => undefined,
  };
  return { agent, called };
}

async function connected(agent: Agent, answer: { action: 'accept' | 'decline'; content?: { allow: boolean } } | null) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  watched.push(watchTransport(theirs));
  const client = new Client({ name: 'test', version: '1' }, answer ? { capabilities: { elicitation: { form: {} } } } : {});
  const asked: string[] = [];
  if (answer)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return answer;
    });
  await Promise.all([createMcpServer(agent, { version: '1', isCancelKnown: true }).connect(ours), client.connect(theirs)]);
  return { client, asked };
}

describe('the first motion of a physical robot', () => {
  it('is made after the person at the client has allowed it, who is asked once', async () => {
    const { agent, called } = askingAgent();
    const { client, asked } = await connected(agent, { action: 'accept', content: { allow: true } });
    await client.callTool({ name: 'drive', arguments: {} });
    await client.callTool({ name: 'drive', arguments: {} });
    expect(called).toEqual(['drive: allowed', 'drive: allowed']);
    expect(asked).toEqual(['May this agent move the robot?']);
    await client.close();
  });

  it.each([
    ['declines', { action: 'decline' as const }],
    ['accepts without the tick', { action: 'accept' as const, content: { allow: false } }],
  ])('is not allowed by a person who %s', async (_what, answer) => {
    const { agent, called } = askingAgent();
    const { client } = await connected(agent, answer);
    await client.callTool({ name: 'drive', arguments: {} });
    expect(called).toEqual(['drive: not allowed']);
    await client.close();
  });

  it('is not allowed through a client that cannot ask', async () => {
    const { agent, called } = askingAgent();
    const { client } = await connected(agent, null);
    await client.callTool({ name: 'drive', arguments: {} });
    expect(called).toEqual(['drive: not allowed']);
    await client.close();
  });
});
