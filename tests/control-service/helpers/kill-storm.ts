import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'vite';
import { KillJudge } from './kill-judge.ts';
import { type Found, type Report, randomFrom } from './kill-reports.ts';
import { makePgliteFolder } from './pglite-image.ts';

const PROJECT_DIR = join(import.meta.dirname, '../../..');
const WRITER = join(import.meta.dirname, 'kill-writer.ts');
/** Writes that a writer may begin before it is killed. */
const WRITES_MAX = 25;
/** One kill in so many comes while the database is opened, at some moment of this time. */
const OPENING_KILLED_EVERY = 5;
const OPENING_MS = 1_500;

/** What a storm of kills came to. */
export interface KillStorm {
  kills: number;
  /** Of them while the database was being opened. */
  whileOpening: number;
  acknowledged: number;
  /** What was lost, half there or not to be there, in sentences. */
  wrong: string[];
}

/**
 * Kills a control service with SIGKILL again and again while it writes to one database on disk, and looks after each kill whether
 * everything that was acknowledged is there. The seed tells which writes and after how many of them.
 */
export async function runKillStorm(options: { kills: number; seed: number; log?: (line: string) => void }): Promise<KillStorm> {
  const { kills, seed, log = () => {} } = options;
  mkdirSync(join(PROJECT_DIR, '.cache'), { recursive: true });
  // In the project, where packages are found.
  const root = mkdtempSync(join(PROJECT_DIR, '.cache/kills-'));
  const folder = join(root, 'db');
  const random = randomFrom(seed);
  const judge = new KillJudge();
  const storm: KillStorm = { kills: 0, whileOpening: 0, acknowledged: 0, wrong: [] };
  await makePgliteFolder(folder);
  const program = await buildWriter(root);
  const startWriter = (writerSeed: number) => watchWriter(spawnWriter(program, folder, writerSeed));
  let next = startWriter(seed);
  try {
    for (let round = 0; ; round += 1) {
      const writer = next;
      // Ready by the time it is needed.
      if (round < kills) next = startWriter(seed + round + 1);
      await writer.ready;
      // The first has something to write before it is killed.
      const isOpeningKilled = round > 0 && round < kills && round % OPENING_KILLED_EVERY === 0;
      const opened = writer.open();
      if (isOpeningKilled) {
        const killed = await Promise.race([opened.then(() => false), sleep(random() * OPENING_MS, true)]);
        if (killed) storm.whileOpening += 1;
      }
      if (!isOpeningKilled || writer.found()) {
        const found = await opened;
        for (const wrong of judge.compare(found)) storm.wrong.push(`after kill ${round}: ${wrong}`);
        if (round === kills || storm.wrong.length > 0) {
          await writer.kill();
          break;
        }
        // Opening may have ended just before it was to be killed; then the writes are.
        await writer.begun(1 + Math.floor(random() * WRITES_MAX));
        if (readFileSync(`${folder}.lock`, 'utf8').split(' ')[0] !== String(writer.pid))
          storm.wrong.push('the lock is not the writer’s');
      }
      for (const report of await writer.kill()) judge.take(report);
      storm.kills += 1;
      storm.acknowledged = judge.acknowledged;
      log(`kill ${storm.kills}: ${judge.acknowledged} writes acknowledged so far`);
    }
  } finally {
    await next.kill();
    rmSync(root, { recursive: true, force: true });
  }
  return storm;
}

type WriteReport = Extract<Report, { kind: 'begin' | 'done' }>;

interface Writer {
  pid: number | undefined;
  ready: Promise<void>;
  /** Opens the database; resolves with what is in it. */
  open(): Promise<Found>;
  found(): Found | null;
  /** Resolves when so many writes were begun. */
  begun(count: number): Promise<void>;
  /** Kills it. @returns everything it told of its writes */
  kill(): Promise<WriteReport[]>;
}

/** Makes one file of the writer: a hundred processes that each translate it anew take longer than all else. @returns its path */
async function buildWriter(root: string): Promise<string> {
  const outDir = join(root, 'program');
  // Where the program looks for them, beside its own folder.
  cpSync(join(PROJECT_DIR, 'src/control-service/migrations'), join(root, 'migrations'), { recursive: true });
  await build({
    configFile: false,
    root: PROJECT_DIR,
    publicDir: false,
    logLevel: 'warn',
    build: { ssr: WRITER, outDir, minify: false },
    ssr: { noExternal: true, external: ['@electric-sql/pglite', 'pg'] },
  });
  return join(outDir, 'kill-writer.js');
}

const spawnWriter = (program: string, folder: string, seed: number): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [program, folder, String(seed)]);

function watchWriter(child: ChildProcessWithoutNullStreams): Writer {
  const { stdin, stdout, stderr } = child;
  const writes: WriteReport[] = [];
  const waiting = new Set<() => void>();
  let troubles = '';
  let isReady = false;
  let found: Found | null = null;
  let hasEnded = false;
  stderr.on('data', (chunk) => {
    troubles += chunk;
  });
  stdin.on('error', () => {});
  createInterface({ input: stdout }).on('line', (line) => {
    const report = JSON.parse(line) as Report;
    if (report.kind === 'ready') isReady = true;
    else if (report.kind === 'opened') found = report.found;
    else writes.push(report);
    for (const look of waiting) look();
  });
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      hasEnded = true;
      for (const look of waiting) look();
      resolve();
    }),
  );
  /** Resolves with the first value that is not null; rejects when the writer ends by itself. */
  const until = <T>(value: () => T | null): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const now = value();
        if (now === null && !hasEnded) return;
        waiting.delete(look);
        if (now !== null) resolve(now);
        else reject(new Error(`The writer ended: ${troubles}`));
      };
      waiting.add(look);
      look();
    });
  const quiet = <T>(promise: Promise<T>): Promise<T> => {
    // Whoever is killed while it opens is not waited for.
    promise.catch(() => {});
    return promise;
  };
  return {
    pid: child.pid,
    ready: quiet(until(() => (isReady ? true : null)).then(() => {})),
    open: () => {
      stdin.write('open\n');
      return quiet(until(() => found));
    },
    found: () => found,
    begun: async (count) => {
      await until(() => (writes.filter((write) => write.kind === 'begin').length >= count ? true : null));
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
      return writes;
    },
  };
}
