import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import {
  type PromiseSuite,
  reportOf,
  type SeedOutcome,
  type SuiteReport,
  type SuiteSize,
  seedRange,
  seedsOf,
} from '../../tests/promises/suite.ts';

/**
 * Runs the seeds of a suite on all cores. They are distributed one by one, so that a slow seed does not delay the others.
 * @param say receives a progress line at times, and each failure
 * @param chosen only these of its seeds.
 * @default all
 */
export async function runOnAllCores(
  suite: PromiseSuite,
  size: SuiteSize,
  say: (line: string) => void,
  chosen?: readonly number[],
): Promise<SuiteReport> {
  const startedAtMs = performance.now();
  const seeds = chosen ?? seedsOf(suite, size);
  const outcomes: SeedOutcome[] = [];
  const waiting = [...seeds];
  const progressEvery = Math.max(1, Math.ceil(seeds.length / 5));
  const workers = Math.min(availableParallelism(), seeds.length);
  await Promise.all(
    Array.from(
      { length: workers },
      () =>
        new Promise<void>((resolve, reject) => {
          const child = fork(new URL('./worker.ts', import.meta.url), [suite.name, size], {
            execArgv: ['--import', '@oxc-node/core/register'],
          });
          const next = (): void => {
            const seed = waiting.shift();
            if (seed === undefined) child.disconnect();
            else child.send(seed);
          };
          child.on('message', (outcome: SeedOutcome) => {
            outcomes.push(outcome);
            if (outcomes.length % progressEvery === 0) say(`${suite.name}: ${outcomes.length} of ${seeds.length} seeds`);
            for (const failure of outcome.failures) say(`${suite.name}: ${failure}`);
            next();
          });
          child.on('error', reject);
          child.on('exit', (code) =>
            code === 0 ? resolve() : reject(new Error(`a worker of ${suite.name} ended with ${code}`)),
          );
          next();
        }),
    ),
  );
  return reportOf(suite, chosen?.join(', ') ?? seedRange(suite, size), outcomes, (performance.now() - startedAtMs) / 1000);
}
