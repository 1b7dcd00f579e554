/** `npm start` and the tour, as someone who only read the README would run them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { startHiddenTabs } from './support/bare-browser.ts';
import { PageWatch } from './support/fixtures.ts';

const PROJECT_DIR = join(import.meta.dirname, '../..');

class Program {
  output = '';
  readonly process: ChildProcess;
  private readonly looks = new Set<() => void>();

  private constructor(process: ChildProcess) {
    this.process = process;
    process.once('exit', () => {
      this.hasEnded = true;
    });
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk) => {
        this.output += chunk;
        for (const look of [...this.looks]) look();
      });
  }
  static start(command: string, args: string[], env: Record<string, string>): Program {
    return new Program(
      spawn(command, args, {
        cwd: PROJECT_DIR,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      }),
    );
  }

  /** Resolves when the output holds the pattern; rejects when the program ends before. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this.output);
        if (!found) return;
        this.looks.delete(look);
        resolve(found);
      };
      this.looks.add(look);
      this.process.once('exit', (code) => reject(new Error(`ended with ${code} before ${pattern}: ${this.output}`)));
      look();
    });
  }

  /** Ctrl-C: a terminal sends it to the whole group, npm and what it runs. */
  interrupt(): void {
    const { pid } = this.process;
    if (pid === undefined || this.hasEnded) return;
    process.kill(-pid, 'SIGINT');
  }

  private hasEnded = false;

  async ended(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null)
      await new Promise((resolve) => this.process.once('exit', resolve));
    return this.process.exitCode;
  }
}

const test = base.extend<{ dataDir: string; port: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
  dataDir: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'simplesim-start-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  port: async ({}, use) => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const address = probe.address();
    await new Promise((resolve) => probe.close(resolve));
    await use(String(typeof address === 'object' && address ? address.port : 0));
  },
});

test('npm start brings up the platform, the tour drives the robot, and Ctrl-C leaves nothing behind', async ({
  dataDir,
  port,
}) => {
  test.setTimeout(400_000);
  const env = { SIMPLESIM_PORT: port, SIMPLESIM_SFU_PORT: '0', SIMPLESIM_DATA_DIR: dataDir };
  const platform = Program.start('npm', ['start'], env);
  // A person who starts programs in a terminal does not look at the page.
  const tabs = await startHiddenTabs();
  try {
    await platform.says(/Ctrl-C ends the platform/);
    const file = join(dataDir, 'local.json');
    const local = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(Object.keys(local).sort()).toEqual([
      'api_key',
      'base_url',
      'livekit_api_key',
      'livekit_api_secret',
      'livekit_url',
      'rcs_url',
      'robot_id',
      'room_key_url',
      'viewer_url',
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(platform.output).toContain(local.room_key_url);
    expect(platform.output).not.toContain(local.api_key);
    expect(platform.output).not.toContain(local.livekit_api_secret);
    const health = await fetch(`${local.base_url}/healthz`);
    expect([health.status, (await health.json()).status]).toEqual([200, 'ok']);

    const tour = Program.start('npx', ['tsx', 'examples/tour.ts'], env);
    await tour.says(/Open this link in Chrome/);
    const watch = new PageWatch();
    const page = await tabs.open();
    watch.watch(page);
    await page.goto(local.room_key_url ?? '');
    expect(await tour.ended(), tour.output).toBe(0);
    expect(tour.output).toContain('The tour has left the room.');
    for (const camera of ['pov', 'topdown']) {
      const jpeg = readFileSync(join(dataDir, 'tour', `${camera}.jpg`));
      expect([...jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    }
    // Both programs that were printed run as they stand there.
    const printed = [...platform.output.matchAll(/^(?:npx tsx|python3) [^\0]*?^EOF$/gm)].map(([program]) => program);
    expect(printed).toHaveLength(2);
    for (const program of printed) {
      const run = Program.start('bash', ['-ec', program], env);
      expect(await run.ended(), run.output).toBe(0);
      expect(run.output).toContain('done');
    }
    expect(watch.problems).toEqual([]);
    await page.close();

    platform.interrupt();
    await platform.ended();
    await expect(fetch(`${local.base_url}/healthz`)).rejects.toThrow();
    const sfu = (local.livekit_url ?? '').replace(/^ws/, 'http');
    await expect
      .poll(() =>
        fetch(sfu).then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('down');
  } finally {
    await tabs.stop();
    platform.interrupt();
  }
});
