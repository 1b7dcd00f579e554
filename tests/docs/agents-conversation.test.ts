/** The conversation in docs/agents.md: the sentences are those of the tools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startStoryAgent } from '../../scripts/docs/agent-tools-examples.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/agents.md'), 'utf8');
const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

it('is what an agent hears that makes these calls in the first world', async () => {
  const calls = [...PAGE.matchAll(/^→ (\w+)\s+(\{[\s\S]*?\})\n← ([\s\S]*?)(?=\n→|\n```)/gm)];
  expect(calls.length).toBeGreaterThan(3);
  const agent = await startStoryAgent();
  for (const [, tool = '', input = '', said = ''] of calls) {
    const reply = await agent.use(tool, JSON.parse(input));
    expect(onOneLine(reply.said)).toBe(onOneLine(said));
  }
  agent.dispose();
});
