import { createHash } from 'node:crypto';
import { join } from 'node:path';
import RAPIER from '@dimforge/rapier3d-compat';
import { runPlanner } from '../../src/headless/eval/planner-run.ts';
import { readTaskFiles } from '../../src/headless/eval/task-files.ts';
import { verifyProof } from '../../src/tasks/verify-proof.ts';
import { withByteChanged } from '../tasks/byte-changed.ts';
import type { PromiseSuite } from './suite.ts';

const TAKE_ONE = join(import.meta.dirname, '../headless/eval/tasks/take-one.json');
/** Of the run that every seed repeats once, in any process. */
const REFERENCE_SEED = 3;

/** The record that an evaluation keeps of a run of the planner, except for its duration. */
export async function evaluated(seed: number): Promise<{ kept: string; proof: string; outcome: string }> {
  const [task] = await readTaskFiles([TAKE_ONE]);
  if (!task) throw new Error('the task is gone');
  const { record, proof, drawing } = await runPlanner({ task, seed, robot: 'humanoid', wording: 'default', sceneFile: null });
  if (proof === null) throw new Error(record.reason);
  return { kept: JSON.stringify([{ ...record, wall_s: 0 }, proof, drawing]), proof, outcome: record.outcome };
}

/** Repeated evaluations are equal, their proofs are true, and they become false when a byte changes. */
export const evals: PromiseSuite = {
  name: 'evals',
  promises: ['P12'],
  title: 'repeated evaluations are equal to the bit, in any process; each proof is true, and false with a byte changed',
  seeds: { smoke: 1, full: 100 },
  async run(seed) {
    const failures: string[] = [];
    const first = await evaluated(seed);
    const reference = await evaluated(REFERENCE_SEED);
    const again = await evaluated(seed);
    if (first.kept !== again.kept) failures.push('the same evaluation came out differently');
    for (const { proof, outcome } of [first, reference]) {
      if (outcome !== 'passed') failures.push(`the planner ${outcome}`);
      const verified = verifyProof(RAPIER, proof);
      if (verified.is !== 'true') failures.push(`a proof is ${verified.is}: ${'what' in verified ? verified.what : ''}`);
      if (verifyProof(RAPIER, withByteChanged(proof, seed)).is === 'true') failures.push('a proof is true with a byte changed');
    }
    // Enough digits to distinguish any two, few enough for a number.
    const digest = Number.parseInt(createHash('sha256').update(reference.kept).digest('hex').slice(0, 12), 16);
    return { cases: 3, failures, samples: { referenceDigest: [digest], proofs: [2] } };
  },
  verdict({ referenceDigest = [] }) {
    const different = new Set(referenceDigest).size;
    return different > 1 ? [`the reference run came out in ${different} ways`] : [];
  },
};
