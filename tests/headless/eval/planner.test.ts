import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import rapier from '@dimforge/rapier3d-compat';
import { expect, it } from 'vitest';
import { ROOT_DIR } from '../../../scripts/compiled.mjs';
import { runPlanner } from '../../../src/headless/eval/planner-run.ts';
import { readTaskFiles } from '../../../src/headless/eval/task-files.ts';
import { verifyProof } from '../../../src/tasks/verify-proof.ts';

const TAKE_ONE = join(import.meta.dirname, 'tasks/take-one.json');
/** `SIMPLESIM_EVALS=100` for the full size. */
const TIMES = Number(process.env.SIMPLESIM_EVALS ?? 5);

it(`${TIMES} runs of the planner with one seed are equal to the bit, each proven; another seed is another run`, async () => {
  const [task] = await readTaskFiles([TAKE_ONE]);
  if (!task) throw new Error('no task');
  const planned = { task, seed: 3, robot: 'humanoid', wording: 'default' } as const;
  const first = await runPlanner(planned);
  expect(first.record).toMatchObject({ outcome: 'passed', proof_file: 'proofs/take-one-3.json', agent: null });
  for (let made = 1; made < TIMES; made += 1) {
    const { record, proof, drawing } = await runPlanner(planned);
    expect({ ...record, wall_s: 0 }).toEqual({ ...first.record, wall_s: 0 });
    expect([proof, drawing]).toEqual([first.proof, first.drawing]);
  }
  expect(verifyProof(rapier, first.proof ?? '')).toMatchObject({ is: 'true' });
  expect((await runPlanner({ ...planned, seed: 4 })).proof).not.toBe(first.proof);
});

it('task files that are none are told before anything runs: each file, place and reason', async () => {
  const text = JSON.parse(readFileSync(TAKE_ONE, 'utf8'));
  expect(text.format).toBe('simplesim.task/1');
  const wrong = readTaskFiles([TAKE_ONE, TAKE_ONE, join(ROOT_DIR, 'package.json'), join(ROOT_DIR, 'tasks'), '/nowhere.json']);
  await expect(wrong).rejects.toThrow(
    /was named already.*\n.*package\.json.*\n.*tasks.*\n.*nowhere\.json: it cannot be read \(ENOENT\)/,
  );
});
