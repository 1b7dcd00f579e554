/** The memory of idle commands, with all processes that they have started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchSize } from '../../scripts/docs/bench-catalogue.ts';
import { memoryOf, processTree } from '../process-memory.ts';
import type { Scenario } from '../scenario.ts';

const PROJECT_DIR = resolve(import.meta.dirname, '../..');
const BUILT_PAGE = join(PROJECT_DIR, 'dist/index.html');
/** No SFU answers there, which a service tolerates. */
const SFU = {
  LIVEKIT_URL: 'ws://127.0.0.1:9',
  LIVEKIT_API_KEY: 'APIbench',
  LIVEKIT_API_SECRET: 'of-this-bench-and-of-nothing-else',
};
/** After the start, so that memory needed only for the start is freed. */
const REST_MS: Record<BenchSize, number> = { smoke: 500, full: 5_000 };

export const memory: Scenario<'memory'> = {
  name: 'memory',
  rounds: { smoke: 1, full: 5 },
  warmUpRounds: { smoke: 0, full: 1 },
  async open(_stage, size) {
    const restMs = REST_MS[size];
    if (process.platform !== 'linux') throw new Error('Memory is read from /proc, which only Linux has.');
    return {
      async round(index) {
        const bare = await memoryAtRest(
          process.execPath,
          ['-e', "console.log('ready'); setInterval(() => {}, 60_000)"],
          {},
          'ready',
          restMs,
        );
        const service = await memoryAtRest(
          'npm',
          ['run', '-s', 'service', '--', 'serve', '--port', '0'],
          SFU,
          '"serving"',
          restMs,
          1,
        );
        // The page is built before the first round. Each round then builds it again, so that the figure includes what a build
        // leaves behind.
        if (index > 0 && existsSync(BUILT_PAGE)) utimesSync(BUILT_PAGE, 0, 0);
        const start = await memoryAtRest(
          'npm',
          ['start'],
          { SIMPLESIM_SFU_PORT: '0', SIMPLESIM_PORT: '0' },
          'Ctrl-C ends',
          restMs,
        );
        return { service: { ours: service, bare }, start: { ours: start, bare } };
      },
      close: async () => {},
    };
  },
};

/**
 * Starts a command on a new data folder, waits until it is ready, lets it rest, and ends it.
 * @param skipped processes before the one that counts, npm's own
 */
async function memoryAtRest(
  command: string,
  args: string[],
  env: Record<string, string>,
  readyWord: string,
  restMs: number,
  skipped = 0,
): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'simplesim-memory-'));
  const { LIVEKIT_URL: _url, DATABASE_URL: _database, NODE_OPTIONS: _options, ...rest } = process.env;
  const child = spawn(command, args, {
    cwd: PROJECT_DIR,
    env: { ...rest, SIMPLESIM_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    await said(child, readyWord);
    await sleep(restMs);
    const pids = processTree(child.pid ?? 0);
    return memoryOf(skipped === 0 ? pids : pids.slice(-skipped));
  } finally {
    const closed = once(child, 'close');
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await closed;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function said(child: ChildProcess, word: string): Promise<void> {
  return new Promise((done, fail) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.includes(word)) done();
    });
    child.once('exit', (code) => fail(new Error(`It ended (${code}) before it was ready. Its output:\n${text}`)));
  });
}
