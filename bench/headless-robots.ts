/**
 * How many simulators without a page one process holds at real time, and what they take: `npx tsx bench/headless-robots.ts 16`.
 * All of them walk, each with a client, beside a platform of their own; the figures of docs/headless.md.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, connect, generateRoomKeyUrl } from '../src/client/index.ts';
import { startPlatform } from '../src/launch/platform.ts';

const robotCount = Number(process.argv[2] ?? 8);
const MEASURED_MS = 10_000;
/** The first seconds of a process compile code. */
const SETTLES_MS = 4_000;
/** Linux counts processor time in these. */
const TICKS_PER_S = 100;

const folder = mkdtempSync(join(tmpdir(), 'simplesim-robots-'));
mkdirSync(join(folder, 'dist'));
writeFileSync(join(folder, 'dist/index.html'), 'no page');
const { PLATFORM_API_KEY: _key, ...env } = process.env;
const platform = await startPlatform({
  port: 0,
  dataDir: join(folder, 'data'),
  distDir: join(folder, 'dist'),
  env: { ...env, SIMPLESIM_SFU_PORT: '0' },
});
try {
  await measure();
} finally {
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function measure(): Promise<void> {
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey, viewerUrl: platform.viewerUrl });
  const ids: string[] = [];
  for (let made = 0; made < robotCount; made += 1) {
    const { robot } = await client.robots.create({ name: 'Robot', model: 'simplesim' });
    await client.robots.createSession(robot.id, { workerNames: [] });
    ids.push(robot.id);
  }
  const links = await Promise.all(ids.map((id) => generateRoomKeyUrl(client, id)));
  const command = [join(import.meta.dirname, '../scripts/simplesim.mjs'), 'headless', ...links, '--log', 'json', '--seed', '1'];
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
      if (ready === robotCount) break;
    }
    child.stdout.resume();
    await pause(SETTLES_MS);
    const sessions = await Promise.all(ids.map((id) => connect(client, id, { workerNames: [] })));
    await Promise.all(sessions.map((session) => session.waitUntilReady()));
    const walks = sessions.map((session) =>
      session.invoke('set_velocity', { vx: 0.1, wz: 0.5, duration_s: MEASURED_MS / 1_000 + 3 }).catch(() => undefined),
    );
    const stamps = () => Promise.all(sessions.map(async (session) => (await session.scene()).timestamp));
    const [before, cpuBefore, startedMs] = [await stamps(), cpuS(pid), performance.now()];
    await pause(MEASURED_MS);
    const passedS = (performance.now() - startedMs) / 1_000;
    const [cpu, after] = [cpuS(pid) - cpuBefore, await stamps()];
    const factors = after.map((end, at) => {
      const begin = before[at] ?? end;
      return ((end.sim_time_s - begin.sim_time_s) * 1_000) / (end.wall_time_ms - begin.wall_time_ms);
    });
    console.log(
      `${robotCount} robots: ${((cpu / passedS / robotCount) * 100).toFixed(1)} % of a core each, ${memoryMb(pid).toFixed(0)} MB together, real-time factor ${Math.min(...factors).toFixed(2)} to ${Math.max(...factors).toFixed(2)}`,
    );
    await Promise.all(walks);
    await Promise.all(sessions.map((session) => session.disconnect({ keepSession: true })));
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function cpuS(pid: number): number {
  const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

function memoryMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1_024;
}
