import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import rapier from '@dimforge/rapier3d-compat';
import { afterAll, expect, it } from 'vitest';
import { ROOT_DIR } from '../../../scripts/compiled.mjs';
import { runPlanner } from '../../../src/headless/eval/planner-run.ts';
import { readSceneFiles } from '../../../src/headless/eval/scene-files.ts';
import { readTaskFiles } from '../../../src/headless/eval/task-files.ts';
import { verifyProof } from '../../../src/tasks/verify-proof.ts';

const TAKE_ONE = join(import.meta.dirname, 'tasks/take-one.json');
const dir = mkdtempSync(join(tmpdir(), 'simplesim-scenes-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
/** `SIMPLESIM_EVALS=100` for the full size. */
const TIMES = Number(process.env.SIMPLESIM_EVALS ?? 5);

it(`${TIMES} runs of the planner with one seed are equal to the bit, each proven; another seed is another run`, async () => {
  const [task] = await readTaskFiles([TAKE_ONE]);
  if (!task) throw new Error('no task');
  const planned = { task, seed: 3, robot: 'humanoid', wording: 'default', sceneFile: null } as const;
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

it('invalid task files are reported before anything runs: each file, place and reason', async () => {
  const text = JSON.parse(readFileSync(TAKE_ONE, 'utf8'));
  expect(text.format).toBe('simplesim.task/1');
  const wrong = readTaskFiles([TAKE_ONE, TAKE_ONE, join(ROOT_DIR, 'package.json'), join(ROOT_DIR, 'tasks'), '/nowhere.json']);
  await expect(wrong).rejects.toThrow(
    /was named already.*\n.*package\.json.*\n.*tasks.*\n.*nowhere\.json: it cannot be read \(ENOENT\)/,
  );
});

it('a task in a scene of a file runs in it, and its proof includes the scene', async () => {
  const scene = JSON.parse(readFileSync(join(ROOT_DIR, 'scenes/hall.json'), 'utf8'));
  const scenesDir = join(dir, 'scenes');
  mkdirSync(scenesDir);
  writeFileSync(join(scenesDir, 'own.json'), JSON.stringify({ ...scene, scene_id: 'own_hall' }));
  const taskFile = join(dir, 'task.json');
  writeFileSync(taskFile, JSON.stringify({ ...JSON.parse(readFileSync(TAKE_ONE, 'utf8')), scene: 'own_hall' }));

  await expect(readTaskFiles([taskFile])).rejects.toThrow(
    /task\.json, scene: There is no scene "own_hall"\. There are: warehouse, hall, .*\. Bring the file of your own with --scenes\./,
  );
  const { scenes, texts } = await readSceneFiles([scenesDir]);
  const [task] = await readTaskFiles([taskFile], 'humanoid', scenes);
  if (!task) throw new Error('no task');
  const sceneFile = texts.get('own_hall') ?? null;
  const { record, proof } = await runPlanner({ task, seed: 3, robot: 'humanoid', wording: 'default', sceneFile });
  expect(record).toMatchObject({ outcome: 'passed', scene: 'own_hall', no_proof: null });
  expect(JSON.parse(proof ?? '{}').scene.file.scene_id).toBe('own_hall');
  expect(verifyProof(rapier, proof ?? '')).toMatchObject({ is: 'true' });
  await expect(readTaskFiles([join(scenesDir, 'own.json')])).rejects.toThrow(/is a scene, no task. Name it with --scenes/);
});

it('invalid scene files are reported before anything runs: each file, place and reason', async () => {
  const broken = join(dir, 'broken.json');
  writeFileSync(broken, JSON.stringify({ ...JSON.parse(readFileSync(join(ROOT_DIR, 'scenes/hall.json'), 'utf8')), bounds: 3 }));
  const large = join(dir, 'large.json');
  writeFileSync(large, ' '.repeat(3_000_000));
  const empty = join(dir, 'empty');
  mkdirSync(empty);
  await expect(readSceneFiles([broken, join(ROOT_DIR, 'scenes/hall.json'), empty, large, '/nowhere.json'])).rejects.toThrow(
    /broken\.json, .*bounds.*\n.*hall\.json, scene_id: must be another id(.|\n)*empty: no file(.|\n)*large\.json: it .*\n.*nowhere\.json: it cannot be read \(ENOENT\)/,
  );
});
