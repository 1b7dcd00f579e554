/** The tools over a live robot with the physical robot's contract: a worker with signed control behind a real SFU. */
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { ROOT_DIR } from '../../scripts/compiled.mjs';
import { layGround, WITHIN_MS } from '../ground/ground.ts';
import { waitUntil } from './helpers/processes.ts';

const ground = layGround({ worker: {} });
const ALLOWS = { action: 'accept', content: { allow: true } } as const;
const DECLINES = { action: 'decline' } as const;
type Answer = typeof ALLOWS | typeof DECLINES | null;

/** Connects a client whose user gives this answer; null: the client cannot ask. */
async function connected(transport: Parameters<Client['connect']>[0], answer: Answer) {
  const client = new Client(
    { name: 'test-client', title: 'Test client', version: '1' },
    answer ? { capabilities: { elicitation: { form: {} } } } : {},
  );
  const asked: string[] = [];
  if (answer)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return answer;
    });
  await client.connect(transport);
  ground.later(() => client.close());
  const call = async (name: string, input: object = {}): Promise<Record<string, unknown>> => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...input } });
    return { ...(structuredContent as object) };
  };
  const becomes = (status: string) =>
    waitUntil(async () => (await call('robot_status')).status === status, `the status ${status}`, WITHIN_MS);
  return { client, call, asked, becomes };
}

async function overRoom(args: string[], answer: Answer = null) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(ROOT_DIR, 'scripts/simplesim.mjs'), 'mcp', '--room', ...args],
    env: { PATH: process.env.PATH ?? '', SIMPLESIM_DATA_DIR: ground.dataDir },
    stderr: 'ignore',
  });
  const tools = await connected(transport, answer);
  return { ...tools, kill: () => process.kill(transport.pid as number, 'SIGKILL') };
}

async function overHttp(answer: Answer) {
  const { rcsUrl, apiKey, robotId } = ground.platform;
  const transport = new StreamableHTTPClientTransport(new URL(`/mcp/robots/${robotId}`, rcsUrl), {
    requestInit: { headers: { Authorization: `Bearer ${apiKey}` } },
  });
  return connected(transport, answer);
}

/** Another participant of the room, which has the worker join. */
async function watch() {
  const session = await ground.openSession(ground.platform.robotId, { keepSession: true, name: 'eye' });
  const robot = async () => (await session.state.get('robot_status')).robot;
  const isMoving = async () => (await robot()).status === 'moving';
  return {
    session,
    isMoving,
    endedByDeadline: async () => (await robot()).extra.control?.velocity_ended_by_deadline !== null,
    moves: () => waitUntil(isMoving, 'a drive', WITHIN_MS),
    stands: () => waitUntil(async () => !(await isMoving()), 'a standstill', WITHIN_MS),
  };
}

describe.each([
  ['a room', (answer: Answer) => overRoom([], answer)],
  ['HTTP', overHttp],
])('the tools over %s, for a robot with the physical contract', (_path, open) => {
  it('do not move it without the consent of a person at the client', async () => {
    const eye = await watch();
    for (const answer of [null, DECLINES]) {
      const tools = await open(answer);
      await tools.becomes('ready');
      expect(await tools.call('robot_status')).toMatchObject({ profile: 'worker' });
      expect(await tools.call('drive', { vx: 0.3, seconds: 1 })).toMatchObject({ code: 'PERMISSION_DENIED', attempted: false });
      expect(tools.asked).toHaveLength(answer ? 1 : 0);
      expect(await eye.isMoving()).toBe(false);
    }
  }, 180_000);

  it('drive it for the given time, stop it, and stop it when the client ends', async () => {
    const eye = await watch();
    const tools = await open(ALLOWS);
    await tools.becomes('ready');
    const driven = await tools.call('drive', { vx: 0.3, seconds: 1 });
    expect(driven).toMatchObject({ status: 'done', evidence: { holds: true, stopped: true } });
    expect(driven.moved_m).toBeGreaterThan(0.1);
    expect(tools.asked).toHaveLength(1);

    const walk = tools.call('drive', { vx: 0.3, seconds: 10 });
    await eye.moves();
    expect(await tools.call('stop')).toMatchObject({ status: 'done', at_rest: true });
    expect(await walk).toMatchObject({ status: 'failed', code: 'CANCELLED' });

    const again = tools.call('drive', { vx: -0.3, seconds: 10 }).catch(() => null);
    await eye.moves();
    await tools.client.close();
    await eye.stands();
    expect(await eye.endedByDeadline()).toBe(false);
    await again;
  }, 180_000);
});

describe('the tools over a room, for a robot with the physical contract', () => {
  it.each([
    ['ends its lease', true],
    ['reaches the deadline of the drive', false],
  ])(
    'leave no robot that moves when their process is killed: it %s',
    async (_end, takes) => {
      const eye = await watch();
      const tools = await overRoom(['--allow-motion']);
      await tools.becomes('ready');
      if (takes) expect(await tools.call('control', { do: 'take' })).toMatchObject({ you_drive: true });
      void tools.call('drive', { vx: 0.3, seconds: takes ? 10 : 5 }).catch(() => null);
      await eye.moves();
      tools.kill();
      await eye.stands();
      expect(await eye.endedByDeadline()).toBe(!takes);
      expect(await eye.session.driver()).toBeNull();
    },
    120_000,
  );

  it('report who pressed the emergency stop and why, and no tool releases it', async () => {
    const { session } = await watch();
    await session.emergencyStop({ reason: 'a child in the way' });
    for (const tools of [await overRoom(['--allow-motion']), await overHttp(ALLOWS)]) {
      await tools.becomes('emergency_stopped');
      const pressed = { by: expect.any(String), reason: '“a child in the way”' };
      expect(await tools.call('robot_status')).toMatchObject({ emergency_stop: pressed });
      expect(await tools.call('drive', { vx: 0.3, seconds: 1 })).toMatchObject({ code: 'NOT_READY', attempted: false });
      expect(await tools.call('stop')).toMatchObject({ status: 'done', at_rest: true });
      for (const name of ['start_over', 'go_to', 'use_skill'] as const)
        expect(
          await tools.call(name, { go_to: { to: 'pad_A' }, use_skill: { skill: 'set_color_mode' }, start_over: {} }[name]),
        ).toMatchObject({ status: 'failed', attempted: false });
      await tools.call('control', { do: 'take' });
      await tools.call('control', { do: 'release' });
      expect(await tools.call('robot_status')).toMatchObject({ status: 'emergency_stopped', emergency_stop: pressed });
    }
  }, 120_000);
});
