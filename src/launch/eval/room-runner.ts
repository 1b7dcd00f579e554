import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thrownText } from '../../control-service/thrown.ts';
import { type PlannedRun, runName } from '../../headless/eval/run-record.ts';
import { brokenRun, type FinishedRun } from '../../headless/eval/watched-run.ts';
import type { Pictures } from '../../headless/pictures/pictures.ts';
import { printProgress } from '../output.ts';
import { startPlatform } from '../platform.ts';
import { DIST_DIR } from '../viewer-build.ts';
import type { AgentRunner } from './agent-runner.ts';
import type { EvalArgs } from './eval-args.ts';
import { runInRoom } from './room-run.ts';

/**
 * Runs tasks with an agent that is a program, on a separate platform on free ports. Each run gets a robot with a session, which
 * is deleted afterwards.
 * @throws Error if the platform cannot be started; nothing keeps running
 */
export async function openRoomRunner(
  { agent, agentSeconds }: EvalArgs,
  resultsDir: string,
  pictures: Pictures | null,
): Promise<AgentRunner> {
  const folder = await mkdtemp(join(tmpdir(), 'simplesim-eval-'));
  const outputDir = join(resultsDir, 'output');
  await mkdir(outputDir);
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const { DATABASE_URL: _database, PLATFORM_API_KEY: _key, ...env } = process.env;
    const platform = await startPlatform({
      port: 0,
      dataDir: join(folder, 'data'),
      distDir: await pageDir(folder),
      env: { ...env, SIMPLESIM_SFU_PORT: '0' },
      onProgress: printProgress,
    });
    closers.push(() => platform.stop());
    const ending = new AbortController();
    const makeRun = async (planned: PlannedRun): Promise<FinishedRun> => {
      const outputFile = join('output', `${runName({ ...planned, task: planned.task.id })}.txt`);
      const startedMs = performance.now();
      try {
        return await runInRoom(planned, {
          platform,
          pictures,
          command: agent,
          agentMaxMs: agentSeconds * 1_000,
          outputFile,
          outputPath: join(resultsDir, outputFile),
          ending: ending.signal,
        });
      } catch (thrown) {
        return brokenRun(planned, thrownText(thrown), (performance.now() - startedMs) / 1_000);
      }
    };
    return {
      makeRun,
      endAll: async () => ending.abort(),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** The page for links to watch, if it is built; an evaluation does not build it. */
async function pageDir(folder: string): Promise<string> {
  if (existsSync(join(DIST_DIR, 'index.html'))) return DIST_DIR;
  const empty = join(folder, 'page');
  await mkdir(empty);
  await writeFile(
    join(empty, 'index.html'),
    '<!doctype html><title>SimpleSim</title><p>The page is not built: npm run build.</p>',
  );
  return empty;
}
