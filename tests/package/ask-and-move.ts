/** An agent client that starts a server of the robot's tools, as its manifest describes it, and moves the robot. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { TOOLS } from '../../src/agent-tools/catalogue.ts';
import { SKILL_URI } from '../../src/mcp/skill-text.ts';

/** Milliseconds from the start of the process. */
export interface ClientTimes {
  listedMs: number;
  movedMs: number;
}

/** Starts the server, lists its tools, drives for a moment and reads the skill. */
export async function askAndMove(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<ClientTimes> {
  const startedMs = performance.now();
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, cwd, env: given, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    const listedMs = performance.now() - startedMs;
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    const reply = await client.callTool({ name: 'drive', arguments: { vx: 0.3, seconds: 0.2 } });
    expect(reply.structuredContent).toMatchObject({ status: 'done' });
    const movedMs = performance.now() - startedMs;
    const { contents } = await client.readResource({ uri: SKILL_URI });
    expect(contents).toMatchObject([{ text: expect.stringContaining('name: simplesim') }]);
    return { listedMs, movedMs };
  } finally {
    await client.close();
  }
}
