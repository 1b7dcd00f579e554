/** Spoilt task files and proofs: nothing is thrown, each problem has its place, and accepted files can be judged. */
import RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, expect, test } from 'vitest';
import type { ProofFile } from '../../src/protocol/files/proof-file.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import { createWorld, disposeWorld } from '../../src/simulation/world.ts';
import { createJudge } from '../../src/tasks/judge.ts';
import { proofText, readProof, seal } from '../../src/tasks/proof-text.ts';
import { readTask } from '../../src/tasks/task-reader.ts';
import { verifyProof } from '../../src/tasks/verify-proof.ts';
import { createChance } from '../oracle/chance.ts';
import { mutations } from '../simulation/scene-mutations.ts';
import { createRunStage, proofOf } from './run-stage.ts';
import { tasksOnDisk } from './task-files.ts';

/** Of each task file, and of one proof; `SIMPLESIM_FUZZ_EXAMPLES` makes it a longer run with a seed of its own. */
const EXAMPLES = Number(process.env.SIMPLESIM_FUZZ_EXAMPLES ?? 20);
const SEED = Number(process.env.SIMPLESIM_FUZZ_SEED ?? 1);

beforeAll(() => RAPIER.init());

test(`${EXAMPLES} spoilt texts of each task file are rejected with place and reason, or are tasks that can be judged`, () => {
  const worlds = new Map<string, SimWorld>();
  const worldOf = (sceneId: string): SimWorld => {
    const world = worlds.get(sceneId) ?? createWorld(RAPIER, { seed: 1, sceneId });
    worlds.set(sceneId, world);
    return world;
  };
  let refused = 0;
  let taken = 0;
  for (const [at, { name, text: good }] of tasksOnDisk.entries()) {
    for (const { text, what } of mutations(good, EXAMPLES, createChance(SEED * 1_000 + at))) {
      const where = `${name}: ${what}`;
      const read = readTask(text);
      if (read.ok) {
        taken += 1;
        const judge = createJudge(read.task, worldOf(read.task.scene));
        expect(JSON.stringify(judge.verdict()).length, where).toBeGreaterThan(2);
        continue;
      }
      refused += 1;
      expect(read.problems.length, where).toBeGreaterThan(0);
      for (const { path, reason } of read.problems) {
        expect(typeof path, where).toBe('string');
        expect(reason, where).toMatch(/^\S.*[.…]$/s);
        expect(reason.length, where).toBeLessThan(1_200);
      }
    }
  }
  for (const world of worlds.values()) disposeWorld(world);
  expect(refused).toBeGreaterThan(taken);
  expect(taken).toBeGreaterThan(0);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test(`${2 * EXAMPLES} spoilt proofs, half of them with a corrected checksum, are distinguished from true ones`, async () => {
  const stage = await createRunStage({ sceneId: 'hall', seed: 1 });
  const go = { name: 'go_to', input: { target: { kind: 'pose', pose: { position: [-1, -2, 0] } } } };
  stage.call({ method: 'runtime.tools_call', payload: go, caller: 'agent' });
  for (let step = 0; step < 120; step += 1) stage.step();
  const proof = proofOf(stage);
  stage.runtime.dispose();
  const good = proofText(proof);
  const chance = createChance(SEED);
  const said = new Set<string>();
  for (const { text, what } of mutations(good, EXAMPLES, chance)) {
    if (text !== good) expect(readProof(text).ok, what).toBe(false);
    const { sha256: _, ...rest } = (parsed(text) ?? proof) as ProofFile;
    const sealed = proofText(seal(rest));
    const verification = verifyProof(RAPIER, sealed);
    said.add(verification.is);
    if ('what' in verification) expect(verification.what.length, what).toBeGreaterThan(0);
    // The spoilt caller may be one that no reader of the run reads: its proof may still be true for the same steps.
    if (verification.is === 'true') expect(verification.steps, what).toBe(verification.proof.steps);
  }
  expect([...said]).toContain('damaged');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}, 120_000);

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
