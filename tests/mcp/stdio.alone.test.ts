import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, expect, it } from 'vitest';
import { WireCheck, watchTransport } from './helpers/wire-check.ts';

const COMMAND = join(import.meta.dirname, '../../scripts/simplesim.mjs');
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

interface Message {
  id?: number;
  result?: { structuredContent: Record<string, unknown> };
}

/** Starts the command and speaks to it line by line. Each line of its output must be a valid message. */
function startCommand(args: string[] = []) {
  const child = spawn(process.execPath, [COMMAND, 'mcp', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  started.push(child);
  const check = new WireCheck();
  const replies = new Map<number, (message: Message) => void>();
  const broken: string[] = [];
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  createInterface(child.stdout).on('line', (line) => {
    try {
      const message = JSON.parse(line) as Message;
      const problem = check.received(message);
      if (problem !== null) broken.push(problem);
      if (message.id !== undefined) replies.get(message.id)?.(message);
    } catch {
      broken.push(line);
    }
  });
  let ids = 0;
  const send = (method: string, params: object, id?: number): void => {
    const message = { jsonrpc: '2.0', method, params, ...(id === undefined ? {} : { id }) };
    check.sent(message);
    child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  const request = (method: string, params: object): Promise<Message> => {
    ids += 1;
    const id = ids;
    send(method, params, id);
    return new Promise((resolve) => replies.set(id, resolve));
  };
  return {
    child,
    broken,
    errors: () => errors,
    exit: once(child, 'exit'),
    async open() {
      const clientInfo = { name: 'test', version: '1' };
      await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      send('notifications/initialized', {});
    },
    async use(name: string, input: object = {}) {
      const { result } = await request('tools/call', { name, arguments: input });
      return result?.structuredContent ?? {};
    },
  };
}

const modeOf = (version: string) => (version.startsWith('2025') ? 'legacy' : { pin: version });

it.each(['the old library', '2025-11-25', '2026-07-28'])(
  'serves a client of %s, whose schemas accept every message of a storm of calls',
  async (generation) => {
    const how = { command: process.execPath, args: [COMMAND, 'mcp'], stderr: 'ignore' as const };
    const info = { name: 'test', version: '1' };
    const troubles: Error[] = [];
    const client =
      generation === 'the old library'
        ? new OldClient(info)
        : new NewClient(info, { versionNegotiation: { mode: modeOf(generation) } });
    client.onerror = (error) => void troubles.push(error);
    const transport = generation === 'the old library' ? new OldTransport(how) : new NewTransport(how);
    const problems = watchTransport(transport);
    await client.connect(transport as never);
    expect((await client.listTools()).tools).toHaveLength(14);
    const calls = Array.from({ length: 60 }, (_, at) => {
      const [name, input] = [
        ['robot_status', {}],
        ['get_scene', { limit: 3 }],
        ['drive', { vx: 0.1, seconds: 0.1, action_id: `drive-${at}` }],
        ['fly', {}],
        ['wait', { for_s: 0 }],
      ][at % 5] as [string, Record<string, unknown>];
      return client.callTool({ name, arguments: input });
    });
    expect(await Promise.all(calls)).toHaveLength(60);
    expect([...problems, ...troubles]).toEqual([]);
    await client.close();
  },
);

it.each(['end of its input', 'SIGTERM'])('stops the robot and exits with 0 at the %s', async (how) => {
  const robot = startCommand();
  await robot.open();
  await robot.use('drive', { vx: 0.1, seconds: 0.1 });
  void robot.use('go_to', { to: { x: 3, y: 0 } });
  if (how === 'SIGTERM') robot.child.kill('SIGTERM');
  else robot.child.stdin?.end();
  expect(await robot.exit).toEqual([0, null]);
  expect(robot.broken).toEqual([]);
});

it('reports a proof that cannot be written, and exits with 3', async () => {
  const robot = startCommand(['--task', 'hall-hold-blue', '--proof', join(import.meta.dirname, 'no-such-folder/proof.json')]);
  await robot.open();
  await robot.use('drive', { vx: 0.1, seconds: 0.1 });
  robot.child.stdin?.end();
  expect(await robot.exit).toEqual([3, null]);
  expect(robot.errors()).toContain('ENOENT');
  expect(robot.broken).toEqual([]);
});

it('ends instead of keeping every reply that a client does not read', async () => {
  const robot = startCommand();
  await robot.open();
  robot.child.stdout?.pause();
  const text = `${JSON.stringify({ jsonrpc: '2.0', id: 'unread', method: 'tools/list', params: {} })}\n`.repeat(100);
  // 100 replies are about 1 MB.
  const flood = setInterval(() => robot.child.stdin?.write(text), 10);
  robot.child.stdin?.on('error', () => undefined);
  const [code] = await robot.exit;
  clearInterval(flood);
  expect(code).toBe(3);
  expect(robot.errors()).toContain('does not read the replies');
  expect(robot.errors()).not.toContain('Warning');
});
