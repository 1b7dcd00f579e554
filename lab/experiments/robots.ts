import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, connect, generateRoomKeyUrl } from '../../src/client/index.ts';
import { type Platform, startPlatform } from '../../src/launch/platform.ts';
import { processTimes } from '../../tests/costs/process-times.ts';
import type { Experiment } from '../experiment.ts';
import { residentBytes } from '../process-memory.ts';
import { PROJECT_DIR } from '../result.ts';

const OPTIONS = { count: { takes: 'number', about: 'number of robots; default: 1 (smoke) or 16 (full)' } } as const;
const ROBOTS = { smoke: 1, full: 16 } as const;
const MEASURED_MS = { smoke: 2_000, full: 10_000 } as const;
/** The first seconds of a process, in which it compiles code. */
const SETTLES_MS = 4_000;

/** Headless robots in one process: all of them walk, each with a client, next to their own platform. */
export const robots: Experiment<typeof OPTIONS, keyof typeof ROBOTS> = {
  sizes: ['smoke', 'full'],
  options: OPTIONS,
  head: ['robots', '% of a core each', 'MB together', 'real-time factor: lowest', 'highest'],
  async run({ size, values }, report) {
    const folder = mkdtempSync(join(tmpdir(), 'simplesim-robots-'));
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/index.html'), 'no page');
    const { PLATFORM_API_KEY: _key, ...env } = process.env;
    const platform = await startPlatform({
      port: 0,
      dataDir: join(folder, 'data'),
      distDir: join(folder, 'dist'),
      env: { ...env, SIMPLESIM_SFU_PORT: '0' },
      onProgress: () => {},
    });
    try {
      const measured = await measure(platform, folder, values.count ?? ROBOTS[size], MEASURED_MS[size]);
      const { count, corePercentEach, memoryMb, factorMin, factorMax } = measured;
      report.row(count, corePercentEach.toFixed(1), memoryMb.toFixed(0), factorMin.toFixed(2), factorMax.toFixed(2));
      return measured;
    } finally {
      await platform.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Measured {
  count: number;
  corePercentEach: number;
  memoryMb: number;
  factorMin: number;
  factorMax: number;
}

async function measure(platform: Platform, folder: string, count: number, forMs: number): Promise<Measured> {
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey, viewerUrl: platform.viewerUrl });
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { robot } = await client.robots.create({ name: 'Robot', model: 'simplesim' });
    await client.robots.createSession(robot.id, { workerNames: [] });
    ids.push(robot.id);
  }
  const links = await Promise.all(ids.map((id) => generateRoomKeyUrl(client, id)));
  const command = [join(PROJECT_DIR, 'scripts/simplesim.mjs'), 'headless', ...links, '--log', 'json', '--seed', '1'];
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SIMPLESIM_DATA_DIR: join(folder, 'robots') },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const pid = child.pid ?? 0;
    let ready = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('"robot_ready"')) ready += 1;
      if (ready === count) break;
    }
    child.stdout.resume();
    await pause(SETTLES_MS);
    const sessions = await Promise.all(ids.map((id) => connect(client, id, { workerNames: [] })));
    await Promise.all(sessions.map((session) => session.waitUntilReady()));
    const walks = sessions.map((session) =>
      session.invoke('set_velocity', { vx: 0.1, wz: 0.5, duration_s: forMs / 1_000 + 3 }).catch(() => undefined),
    );
    const stamps = () => Promise.all(sessions.map(async (session) => (await session.scene()).timestamp));
    const [before, cpuBefore, startedMs] = [await stamps(), processTimes(pid).ownS, performance.now()];
    await pause(forMs);
    const passedS = (performance.now() - startedMs) / 1_000;
    const [cpu, after] = [processTimes(pid).ownS - cpuBefore, await stamps()];
    const factors = after.map((end, at) => {
      const begin = before[at] ?? end;
      return ((end.sim_time_s - begin.sim_time_s) * 1_000) / (end.wall_time_ms - begin.wall_time_ms);
    });
    const measured = {
      count,
      corePercentEach: (cpu / passedS / count) * 100,
      memoryMb: residentBytes(pid) / 2 ** 20,
      factorMin: Math.min(...factors),
      factorMax: Math.max(...factors),
    };
    await Promise.all(walks);
    await Promise.all(sessions.map((session) => session.disconnect({ keepSession: true })));
    return measured;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
