import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSfuUp } from '../../src/launch/sfu.ts';
import { commandArgs } from './helpers/command.ts';
import { makeFakeDist } from './helpers/fake-dist.ts';
import { waitUntil } from './helpers/processes.ts';

let folders: ReturnType<typeof makeFakeDist>;
let children: ChildProcess[] = [];
beforeEach(() => {
  folders = makeFakeDist();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folders.root, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  exit: Promise<number | null>;
  /** Everything printed so far. */
  printed: () => string;
}

function run(env: Record<string, string>): Started {
  const child = spawn(process.execPath, commandArgs('start'), {
    env: {
      ...process.env,
      SIMPLESIM_PORT: '0',
      SIMPLESIM_SFU_PORT: '0',
      SIMPLESIM_DIST_DIR: folders.distDir,
      SIMPLESIM_DATA_DIR: folders.dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children = [...children, child];
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => lines.push(line));
  }
  const exit = new Promise<number | null>((done) => child.once('close', done));
  return { child, exit, printed: () => lines.join('\n') };
}

const local = () => JSON.parse(readFileSync(join(folders.dataDir, 'local.json'), 'utf8'));
const isGone = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe('npm start', () => {
  it('npm start prints link and snippet but not the key, and ends in order on Ctrl-C', async () => {
    const { child, exit, printed } = run({ PLATFORM_API_KEY: 'sk_live_of-this-test-alone' });
    await waitUntil(() => printed().includes('Ctrl-C ends'), 'the platform to be ready', 180_000);
    const { room_key_url: link, base_url: baseUrl, livekit_url: sfuUrl, api_key: key } = local();
    expect(printed().split('\n')).toContain(link);
    expect(printed()).toContain("import { Client, connect } from 'platform-robot-sdk';");
    expect(key).toBe('sk_live_of-this-test-alone');
    expect(printed()).not.toContain('sk_live');
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
    child.kill('SIGINT');
    expect(await exit).toBe(0);
    expect(await isGone(baseUrl)).toBe(true);
    expect(await isSfuUp(sfuUrl.replace('ws', 'http'), 500)).toBe(false);
  }, 300_000);

  it('npm start leaves nothing behind when it is killed, and starts again on the same data', async () => {
    const first = run({});
    await waitUntil(() => first.printed().includes('Ctrl-C ends'), 'the platform to be ready', 180_000);
    const before = local();
    first.child.kill('SIGKILL');
    await first.exit;
    await waitUntil(async () => !(await isSfuUp(before.livekit_url.replace('ws', 'http'), 200)), 'the SFU to end');
    const second = run({});
    await waitUntil(() => second.printed().includes('Ctrl-C ends'), 'the platform to be ready again', 180_000);
    expect(local()).toMatchObject({ api_key: before.api_key, robot_id: before.robot_id });
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
  }, 400_000);

  it('npm start ends with a sentence instead of a stack trace when it cannot start', async () => {
    const { exit, printed } = run({ SIMPLESIM_PORT: '99999' });
    expect(await exit).toBe(1);
    expect(printed()).toContain('The platform did not start. SIMPLESIM_PORT is "99999", and must be a port number');
    expect(printed()).not.toMatch(/\n\s+at /);
  });
});
