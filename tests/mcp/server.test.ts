import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent-tools/agent.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { endsAtOnce, fakeRobot, standing } from '../agent-tools/helpers/fake-robot.ts';
import { watchTransport } from './helpers/wire-check.ts';

const watched: string[][] = [];
afterEach(() => expect(watched.splice(0).flat()).toEqual([]));

/** Connects a client to the tools, and records each message of the server. */
async function connected(agent: Agent) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  watched.push(watchTransport(theirs));
  const sent: JSONRPCMessage[] = [];
  const send = ours.send.bind(ours);
  ours.send = async (message, options) => {
    sent.push(message);
    await send(message, options);
  };
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([createMcpServer(agent, { version: '1', isCancelKnown: true }).connect(ours), client.connect(theirs)]);
  return { client, sent };
}

describe('the server of the Model Context Protocol', () => {
  it('sends no progress after a result, and only rising progress before it', async () => {
    const fake = fakeRobot();
    fake.answer.read = () => standing();
    const { client, sent } = await connected(fake.agent);
    for (let round = 0; round < 60; round += 1) {
      const call = client.callTool({ name: 'drive', arguments: { seconds: 1 } }, { onprogress: () => undefined });
      // Results arrive before, between and together with progress.
      await fake.clock.pass(round * 100);
      fake.calls.at(-1)?.end({ status: 'done', result: {}, meta: { action_id: fake.calls.at(-1)?.actionId ?? '' } });
      await call;
    }
    await fake.clock.pass(10_000);
    const ended = new Set<unknown>();
    const last = new Map<unknown, number>();
    for (const message of sent) {
      if ('result' in message) ended.add(message.id);
      if (!('method' in message) || message.method !== 'notifications/progress') continue;
      const { progressToken, progress } = message.params as { progressToken: unknown; progress: number };
      expect(ended.has(progressToken)).toBe(false);
      expect(progress).toBeGreaterThan(last.get(progressToken) ?? 0);
      last.set(progressToken, progress);
    }
    expect(last.size).toBeGreaterThan(30);
    await client.close();
  });

  it('states the same facts as text and as structured content', async () => {
    const fake = fakeRobot();
    fake.answer.invoke = endsAtOnce;
    const { client } = await connected(fake.agent);
    for (const [name, input] of [
      ['go_to', { to: 'a' }],
      ['fly', {}],
      ['robot_status', {}],
      ['wait', { for_s: 0 }],
    ] as const) {
      const result = await client.callTool({ name, arguments: input });
      const [content] = result.content as [{ type: string; text: string }];
      const facts = result.structuredContent as Record<string, unknown>;
      const [said, json] = content.text.split('\n');
      expect({ said, ...JSON.parse(json ?? '{}') }).toEqual(facts);
      expect(result.isError).toBe(facts.status === 'failed');
    }
    await client.close();
  });

  it('sends no character that hides or reverses text, and changes no id of a scene', async () => {
    const id = 'a\u202eb\u{e0041}\u009b31m\u2028c';
    const fake = fakeRobot();
    const entity = { entity_id: id, kind: 'object', pose: { position: [0, 0, 0] }, state: {} };
    const robot = { entity_id: 'robot', kind: 'robot', pose: { position: [0, 0, 0] }, state: {} };
    fake.answer.read = (method) => (method === 'runtime.scene_state' ? { entities: { a: entity, robot } } : {});
    const { client } = await connected(fake.agent);
    const { content } = await client.callTool({ name: 'get_scene', arguments: {} });
    const { contents } = await client.readResource({ uri: 'robot://scene' });
    const texts = [content, contents].map((parts) => (parts as unknown as [{ text: string }])[0].text);
    for (const text of texts) {
      expect(text).not.toMatch(/[\p{Cf}\u0080-\u009f\u2028]/u);
      const facts = JSON.parse(text.slice(text.indexOf('{'))) as { entities: [{ id: string }] };
      expect(facts.entities[0].id).toBe(id);
    }
    await client.close();
  });

  it('sends a picture before its text, without structured content', async () => {
    const { client } = await connected(fakeRobot().agent);
    const result = await client.callTool({ name: 'take_picture', arguments: {} });
    expect(result.content).toMatchObject([{ type: 'image', mimeType: 'image/jpeg' }, { type: 'text' }]);
    expect(result.structuredContent).toBeUndefined();
    await client.close();
  });

  it('sends nothing about a call that the client cancelled', async () => {
    const fake = fakeRobot();
    const { client, sent } = await connected(fake.agent);
    const cancel = new AbortController();
    const call = client.callTool(
      { name: 'go_to', arguments: { to: 'a' } },
      { signal: cancel.signal, onprogress: () => undefined },
    );
    call.catch(() => undefined);
    await fake.clock.pass(2_000);
    const before = sent.length;
    cancel.abort();
    await expect(call).rejects.toThrow();
    await fake.clock.pass(10_000);
    expect(fake.cancelled).toEqual(['id-1']);
    expect(sent).toHaveLength(before);
    await client.close();
  });

  it('lists and serves the text that teaches an agent to use the tools', async () => {
    const { client } = await connected(fakeRobot().agent);
    const { resources } = await client.listResources();
    const listed = resources.find(({ mimeType }) => mimeType === 'text/markdown');
    expect(listed).toMatchObject({ uri: 'skill://simplesim/SKILL.md', name: 'simplesim' });
    const { contents } = await client.readResource({ uri: listed?.uri ?? '' });
    const text = readFileSync(join(import.meta.dirname, '../../plugins/simplesim/skills/simplesim/SKILL.md'), 'utf8');
    expect(contents).toEqual([{ uri: listed?.uri, mimeType: 'text/markdown', text }]);
    await client.close();
  });

  it('rejects an unknown resource with the code of the protocol', async () => {
    const { client } = await connected(fakeRobot().agent);
    const reading = client.readResource({ uri: 'robot://secrets' });
    await expect(reading).rejects.toThrow(
      'There are: robot://status, robot://scene, robot://timeline, skill://simplesim/SKILL.md.',
    );
    await expect(reading).rejects.not.toMatchObject({ code: -32_603 });
    await client.close();
  });
});
