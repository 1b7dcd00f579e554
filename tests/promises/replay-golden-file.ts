import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Physics } from '../../src/simulation/sim-world.ts';
import { GOLDEN_LOGS } from './replay-golden-logs.ts';
import { replay, rollingDigests } from './replay-log.ts';

export const GOLDEN_FILE = join(import.meta.dirname, 'replay-golden.json');
/** Interval between samples; each is a digest of every step before it. */
export const SAMPLE_STEPS = 250;

/** The hashes of the golden logs when the file was written. */
export interface Golden {
  sim_protocol: number;
  logs: { name: string; seed: number; steps: number; ends: string[]; digests: string[] }[];
}

/** The written hashes, or null if there are none yet. */
export const readGolden = (): Golden | null =>
  existsSync(GOLDEN_FILE) ? (JSON.parse(readFileSync(GOLDEN_FILE, 'utf8')) as Golden) : null;

/** Replays every golden log. */
export const goldenOf = (rapier: Physics, simProtocol: number): Golden => ({
  sim_protocol: simProtocol,
  logs: GOLDEN_LOGS.map((log) => {
    const { hashes, ends } = replay(rapier, log);
    return { name: log.name, seed: log.seed, steps: log.steps, ends, digests: rollingDigests(hashes, SAMPLE_STEPS) };
  }),
});

/**
 * Returns the differences between the written hashes and the present ones, each a sentence with the remedy.
 * @param simProtocol the number in the source
 */
export function goldenProblems(written: Golden | null, now: Golden, simProtocol: number): string[] {
  if (written === null) return ['There are no golden hashes. Run: npm run golden'];
  if (written.sim_protocol !== simProtocol) {
    return [`SIM_PROTOCOL is ${simProtocol} and the golden hashes are of ${written.sim_protocol}. Run: npm run golden`];
  }
  return now.logs.flatMap((log) => {
    const before = written.logs.find(({ name }) => name === log.name);
    if (JSON.stringify(before) === JSON.stringify(log)) return [];
    const sample = log.digests.findIndex((digest, index) => digest !== before?.digests[index]);
    const where = sample < 0 ? '' : ` between steps ${sample * SAMPLE_STEPS + 1} and ${(sample + 1) * SAMPLE_STEPS}`;
    return [
      `The log "${log.name}" no longer replays to the golden hashes${where}: the simulation behaves differently, and recorded calls of SIM_PROTOCOL ${simProtocol} would tell another story. If that is meant, run: npm run golden (it raises the number and writes new hashes).`,
    ];
  });
}
