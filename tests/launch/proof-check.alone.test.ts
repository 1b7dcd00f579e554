import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runPlanner } from '../../src/headless/eval/planner-run.ts';
import { openProofCheck } from '../../src/launch/eval/proof-check.ts';
import { readTask } from '../../src/tasks/task-reader.ts';

const check = openProofCheck();
afterAll(() => check.close());

async function proofOfRun(): Promise<string> {
  const read = readTask(readFileSync(join(import.meta.dirname, '../headless/eval/tasks/take-one.json'), 'utf8'));
  if (!read.ok) throw new Error('no task');
  const { proof } = await runPlanner({ task: read.task, seed: 6, robot: 'humanoid', wording: 'default', sceneFile: null });
  if (proof === null) throw new Error('no proof');
  return proof;
}

it('a process beside the evaluation reports why a proof is false, and reports nothing about a correct one', async () => {
  const proof = await proofOfRun();
  const [whole, damaged] = await Promise.all([check.whyNotTrue(proof), check.whyNotTrue(proof.replace('"seed":6', '"seed":7'))]);
  expect(whole).toBeNull();
  expect(damaged).toMatch(/^The re-simulation of its proof is DAMAGED at sha256: /);
});

it('a proof that is waiting when the process is ended counts as false, with a remedy', async () => {
  const ended = openProofCheck();
  const waiting = ended.whyNotTrue('{}');
  ended.close();
  expect(await waiting).toContain('npm run simplesim -- verify');
});
