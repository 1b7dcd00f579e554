/** `simplesim mcp --watch`: the page that shows an agent's robot and its calls. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expectNoAxeFindings } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

const ROOT_DIR = join(import.meta.dirname, '../..');

/** An agent client that follows a script. */
async function startAgent() {
  const args = [join(ROOT_DIR, 'scripts/simplesim.mjs'), 'mcp', '--watch', '--task', 'hall-yellow-to-mark'];
  const child: ChildProcess = spawn(process.execPath, args, { cwd: ROOT_DIR, stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  let requests = 0;
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('The command has no standard streams.');
  createInterface({ input: stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line) as { id?: number; result?: Record<string, unknown> };
    if (id !== undefined && result) waiting.get(id)?.(result);
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    stderr.on('data', (part: Buffer) => {
      text += part.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+\/agent\.html/.exec(text)?.[0];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`The command ended: ${text}`)));
  });
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method: string, params: object) => {
    requests += 1;
    const id = requests;
    const reply = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return reply;
  };
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'scripted', title: 'Scripted <b>agent</b>', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url,
    call: (name: string, input: object = {}) => request('tools/call', { name, arguments: input }),
    end: async () => {
      stdin.end();
      await exited;
    },
  };
}

test('a page shows the robot of an agent, each of its calls with the reason of a failure, and the end', async ({
  open,
  expectedProblems,
}) => {
  expectedProblems.push(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED/);
  const agent = await startAgent();
  const status = await agent.call('robot_status');
  expect(JSON.stringify(status)).toContain(agent.url);
  const page = await open(agent.url);
  const panel = page.getByRole('complementary', { name: 'The agent' });
  await expect(panel.getByTestId('agent')).toHaveText('“Scripted <b>agent</b>”, connected');
  await expect(page.getByTestId('freshness')).toHaveText('Live');
  const before = await panel.getByTestId('place').textContent();

  await agent.call('pick', { id: 'cube_<i>99</i>' });
  const call = panel.getByRole('listitem').first();
  await expect(call).toContainText('Failed');
  await expect(call).toContainText('id: "cube_<i>99</i>"');

  const walking = agent.call('drive', { vx: 0.5, seconds: 3 });
  await expect(call).toContainText('Running');
  await walking;
  await expect(call).toContainText('vx: 0.5, seconds: 3');
  await expect(call).toContainText('Done');
  await expect(panel.getByTestId('place')).not.toHaveText(before ?? '');

  const steps = [
    { tool: 'look_at', input: { id: 'cube_1' } },
    { tool: 'pick', input: { id: 'pad_A' } },
    { tool: 'place', input: {} },
  ];
  await agent.call('run_plan', { steps });
  await expect(call.getByRole('listitem')).toHaveText([
    /^Look at cube_1Done$/,
    /^Pick pad_AFailed.*UNKNOWN_ENTITY/,
    /^Place Not run$/,
  ]);
  await expectNoAxeFindings(page, 'an agent’s robot');

  await agent.end();
  await expect(page.getByText('The agent’s robot has ended.').last()).toBeVisible();
  await expect(page.getByTestId('state')).toHaveText('Ended');
});
