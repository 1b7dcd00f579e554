/**
 * An agent that is a client of the Model Context Protocol: it picks up the blue cube with the tools of the server in
 * `SIMPLESIM_MCP_CONFIG`, and prints what it was given.
 */
import { readFileSync, statSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { SIMPLESIM_MCP_CONFIG: path = '', SIMPLESIM_TASK: task } = process.env;
const text = readFileSync(path, 'utf8');
const { command, args, env } = JSON.parse(text).mcpServers.simplesim;
const client = new Client({ name: 'scripted', version: '1' });
await client.connect(new StdioClientTransport({ command, args, env }));

async function call(name: string, input: object = {}): Promise<Record<string, unknown>> {
  const { structuredContent = {} } = await client.callTool({ name, arguments: { ...input } });
  return structuredContent as Record<string, unknown>;
}

let status = await call('robot_status');
while (status.status !== 'ready') status = await call('robot_status');
const restarted = await call('start_over');
const scene = await call('get_scene', { kind: 'cube', limit: 40 });
const cubes = scene.entities as { id: string; colour: string }[];
const id = cubes.find(({ colour }) => colour === 'blue')?.id;
await call('go_to', { to: id });
const picked = await call('pick', { id });
process.stdout.write(
  `${JSON.stringify({
    sameTask: status.task === task,
    clock: status.clock,
    exam: status.exam,
    restarted: restarted.code,
    picked: picked.status,
    mode: (statSync(path).mode & 0o777).toString(8),
    names: Object.keys(process.env).filter((name) => /^(SIMPLESIM|PLATFORM)_/.test(name)),
    hidden: !/goal|score|fault|predicate/i.test(JSON.stringify([text, status, scene, picked])),
  })}\n${text}`,
);
await client.close();
