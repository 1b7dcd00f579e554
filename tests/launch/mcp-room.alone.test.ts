/** `npm run simplesim -- mcp --room` as a client starts it: a real platform, a robot without a page, tools over standard input. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT_DIR } from '../../scripts/compiled.mjs';
import { generateOperatorUrl, generateRoomKeyUrl } from '../../src/client/index.ts';
import type { RobotInRoom } from '../../src/headless/in-room.ts';
import { layGround } from '../ground/ground.ts';
import { startReadyRobot } from '../headless/ready-robot.ts';
import { watchTransport } from '../mcp/helpers/wire-check.ts';
import { waitUntil } from './helpers/processes.ts';

const ground = layGround();
let robot: RobotInRoom | null = null;
afterAll(() => robot?.end());

interface Facts {
  status: string;
  said: string;
  action_id: string;
  code?: string;
  driver?: { name: string; is_you: boolean } | null;
  [name: string]: unknown;
}

/** Starts the tools as the child of a client, and ends them after the test. */
async function startTools(args: string[], env: Record<string, string> = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(ROOT_DIR, 'scripts/simplesim.mjs'), 'mcp', '--room', ...args],
    env: { PATH: process.env.PATH ?? '', SIMPLESIM_DATA_DIR: ground.dataDir, ...env },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = new Client({ name: 'test-client', title: 'Test client', version: '1' });
  client.onerror = ({ message }) => {
    said += message;
  };
  const problems = watchTransport(transport);
  await client.connect(transport);
  ground.later(async () => {
    await client.close();
    expect(problems).toEqual([]);
  });
  const call = async (name: string, input: object = {}): Promise<Facts> => {
    const reply = await client.callTool({ name, arguments: { ...input } });
    return reply.structuredContent as Facts;
  };
  const says = (text: string) => waitUntil(async () => (await call('robot_status')).said.includes(text), `"${text}"`);
  return { client, call, says, errors: () => said };
}

/** A second caller in the room, which sees what the robot does. */
const watch = async () => ground.openSession(ground.platform.robotId, { keepSession: true });

describe('the tools over the robot of a room', () => {
  it('reports that the robot is absent, then drives it, and stops it when the client ends', async () => {
    const tools = await startTools([]);
    await tools.says('not in its room');
    expect(await tools.call('robot_status')).toMatchObject({ status: 'absent', watch: null });
    expect(await tools.call('robot_status', { watch: true })).toMatchObject({ watch: expect.stringContaining('/?key=') });

    robot = await startReadyRobot(
      await generateRoomKeyUrl(ground.client, ground.platform.robotId, { viewerBaseUrl: ground.platform.viewerUrl }),
    );
    await tools.says('Next: ');
    expect(await tools.call('go_to', { to: 'pad_A' })).toMatchObject({ status: 'done', attempted: true });
    expect(await tools.call('pick', { id: 'cube' })).toMatchObject({ status: 'done', held: [expect.stringMatching(/^cube_/)] });
    expect(await tools.call('control', { do: 'take' })).toMatchObject({ you_drive: true });
    expect(await tools.call('robot_status')).toMatchObject({
      driver: { name: expect.stringContaining('Test client'), is_you: true },
    });

    const walk = tools.call('go_to', { to: { x: 0, y: 3 } });
    const others = await watch();
    await waitUntil(async () => (await others.state.get('robot_status')).robot.status === 'moving', 'a walk');
    expect(await tools.call('stop')).toMatchObject({ status: 'done', at_rest: true });
    expect(await walk).toMatchObject({ status: 'failed', code: 'CANCELLED' });

    const again = tools.call('go_to', { to: { x: 0, y: 3 } }).catch(() => null);
    await waitUntil(async () => (await others.state.get('robot_status')).robot.status === 'moving', 'a walk');
    await tools.client.close();
    await again;
    const { robot: body, runtime } = await others.state.get('robot_status');
    expect([body.status === 'moving', runtime.active_action ?? null, body.extra.driver ?? null]).toEqual([false, null, null]);
    expect(tools.errors()).toBe('');
  }, 120_000);

  it('drives by a link alone, and leaves the session open', async () => {
    const before = (await watch()).roomName;
    const link = await generateOperatorUrl(ground.client, ground.platform.robotId, { participantName: 'Ada' });
    const tools = await startTools([link], { SIMPLESIM_TASK: 'Look around.' });
    await tools.says('Next: ');
    expect(await tools.call('robot_status')).toMatchObject({ task: 'Look around.', watch: null });
    const { structuredContent } = await tools.client.callTool({ name: 'look_at', arguments: { yaw_deg: 20 } });
    expect(structuredContent).toMatchObject({ status: 'done' });
    await tools.client.close();
    expect(tools.errors()).toBe('');
    expect((await watch()).roomName).toBe(before);
  }, 120_000);

  it('refuses the link of the robot itself without a part of it', async () => {
    const link = await generateRoomKeyUrl(ground.client, ground.platform.robotId, { viewerBaseUrl: ground.platform.viewerUrl });
    let errors = (): string => '';
    const started = startTools([link]).then((tools) => {
      ({ errors } = tools);
    });
    await expect(started).rejects.toThrow();
    expect(errors()).not.toContain(link.slice(-40));
  }, 90_000);

  it('joins the room of the next session after the session was deleted', async () => {
    const tools = await startTools([]);
    await tools.says('Next: ');
    await ground.client.robots.deleteSession(ground.platform.robotId);
    await tools.says('not in its room');
    expect(await tools.call('go_to', { to: 'pad_A' })).toMatchObject({
      status: 'failed',
      code: 'ROBOT_ABSENT',
      attempted: false,
    });
  }, 90_000);
});
