import RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, expect, test } from 'vitest';
import { PROOF_MAX_BYTES, type ProofFile } from '../../src/protocol/proof-file.ts';
import { play } from '../../src/tasks/agent-play.ts';
import { plannerAgent } from '../../src/tasks/planner-agent.ts';
import { proofText, seal } from '../../src/tasks/proof-text.ts';
import { verifyProof } from '../../src/tasks/verify-proof.ts';
import { seeded } from '../oracle/chance.ts';
import { runOf, taskOf, tasksOnDisk } from './task-files.ts';

/** A run that reached its goal, as others would forge it. */
let proof: ProofFile;
let text: string;

async function told(seed: number): Promise<ProofFile> {
  const found = tasksOnDisk.find(({ name }) => name === 'hall-yellow-to-mark');
  if (!found) throw new Error('the task is not there');
  const task = taskOf(found);
  const run = await runOf(task, { seed });
  play(run, plannerAgent(task));
  const proved = run.proof();
  run.runtime.dispose();
  if (!proved.ok) throw new Error(proved.reason);
  return proved.proof;
}

beforeAll(async () => {
  proof = await told(1);
  text = proofText(proof);
});

/** What is said of a proof that was changed by somebody who knows how to make a checksum. */
function forged(change: (proof: ProofFile) => void) {
  const { sha256: _, ...copy } = structuredClone(proof);
  change(copy as ProofFile);
  return verifyProof(RAPIER, proofText(seal(copy)));
}

test('the same run twice has the same proof, byte for byte', async () => {
  expect(proof.verdict?.outcome).toBe('passed');
  expect(proofText(await told(1))).toBe(text);
  expect(proofText(await told(2))).not.toBe(text);
});

test('a thousand changed bytes are found', () => {
  const random = seeded(7);
  const bytes = new TextEncoder().encode(text);
  for (let round = 0; round < 1_000; round += 1) {
    const at = Math.floor(random() * bytes.length);
    const changed = bytes.slice();
    changed[at] = ((changed[at] ?? 0) + 1 + Math.floor(random() * 255)) % 256;
    expect(verifyProof(RAPIER, new TextDecoder().decode(changed)).is, `byte ${at}`).toBe('damaged');
  }
  for (let round = 0; round < 50; round += 1)
    expect(verifyProof(RAPIER, text.slice(0, Math.floor(random() * text.length))).is).toBe('damaged');
});

test('another verdict, other hashes, other inputs and another seed are false', () => {
  expect(forged(() => {})).toMatchObject({ is: 'true' });
  expect(forged(({ verdict }) => verdict && Object.assign(verdict, { outcome: 'failed', reason: 'time_over' })).is).toBe('false');
  expect(forged(({ verdict }) => verdict && Object.assign(verdict, { calls: verdict.calls - 1 })).is).toBe('false');
  expect(forged((one) => Object.assign(one, { end_hash: '0123456789abcdef' }))).toMatchObject({
    is: 'false',
    atStep: proof.steps,
  });
  const other = forged(({ digests }) => {
    digests.hex = `${digests.hex.slice(0, 60)}ffffff${digests.hex.slice(66)}`;
  });
  expect(other).toMatchObject({ is: 'false', atStep: 11 * 30, sameUntilStep: 10 * 30 });
  expect(forged((one) => Object.assign(one, { seed: 2 })).is).toBe('false');
  expect(forged((one) => Object.assign(one, { robot: 'picker' })).is).toBe('false');
  expect(forged(({ inputs }) => inputs.splice(1, 1)).is).toBe('false');
  expect(forged(({ inputs }) => inputs.splice(0, inputs.length)).is).toBe('false');
  expect(forged((one) => Object.assign(one, { steps: proof.steps - 200 })).is).toBe('false');
  expect(forged((one) => Object.assign(one, { steps: proof.steps + 200 })).is).toBe('false');
  expect(forged(({ inputs }) => void inputs.reverse()).is).toBe('false');
  const earlier = forged(({ inputs }) => {
    const last = inputs.at(-1);
    if (last) last[0] -= 1;
  });
  expect(earlier.is).toBe('false');
});

test('what a verdict claims otherwise is named, with both values', () => {
  const credited = forged(({ verdict }) => verdict && Object.assign(verdict, { credit: 0.5, simulated_s: 1 }));
  expect(credited).toMatchObject({
    is: 'false',
    what: expect.stringMatching(
      /^the verdict has other credit \(1 here, 0\.5 in the proof\), simulated_s \([\d.]+ here, 1 in the proof\); the world was the same/,
    ),
  });
  const part = forged(({ verdict }) => verdict?.predicates[0] && Object.assign(verdict.predicates[0], { since_step: 3 }));
  expect(part).toMatchObject({ what: expect.stringMatching(/^the verdict has other predicates; the world was the same/) });
});

test('what no run of a task can have in it is false, however it hashes', () => {
  const resets = forged(({ calls, inputs }) => {
    calls.push({ method: 'runtime.tools_call', caller: 0, payload: { name: 'reset', input: { seed: 9 } } });
    inputs.unshift([0, 'call', calls.length - 1]);
  });
  expect(resets).toMatchObject({ is: 'false', atStep: 0, what: expect.stringContaining('reset') });
  const strange = (change: (one: ProofFile) => void) => forged(change);
  expect(strange(({ inputs }) => inputs.push([proof.steps, 'call', 99]))).toMatchObject({ is: 'false', atStep: 0 });
  expect(strange(({ inputs }) => inputs.push([proof.steps, 'stop', 99]))).toMatchObject({ is: 'false', atStep: 0 });
  expect(strange(({ calls }) => Object.assign(calls[0] ?? {}, { caller: 99 }))).toMatchObject({ is: 'false', atStep: 0 });
  expect(strange((one) => Object.assign(one, { scene: { ...one.scene, id: 'nowhere' } })).is).toBe('other_version');
  expect(strange((one) => Object.assign(one, { scene: { ...one.scene, sha256: 'a'.repeat(64) } })).is).toBe('other_version');
  expect(strange((one) => Object.assign(one, { sim_protocol: 1 })).is).toBe('other_version');
  expect(strange((one) => Object.assign(one, { engine: '0.0.1' })).is).toBe('other_version');
  expect(strange(({ task }) => task && Object.assign(task, { scene: 'warehouse' }))).toMatchObject({ is: 'false', atStep: 0 });
  expect(strange(({ task }) => task && Object.assign(task, { robots: ['picker'] }))).toMatchObject({ is: 'false', atStep: 0 });
  expect(strange((one) => delete one.task).is).toBe('false');
  expect(
    strange((one) => Object.assign(one, { profile: 'worker', robot: 'picker', task: undefined, verdict: undefined })).is,
  ).toBe('false');
});

test('an easier goal gives another verdict than that of the task, and says so by the task in it', () => {
  const easier = forged(({ task }) => task && Object.assign(task, { goal: { kind: 'held', things: {} } }));
  expect(easier.is).toBe('false');
});

test('huge, deep and strange texts are refused at once', () => {
  for (const strange of [
    '',
    'null',
    '[]',
    '{}',
    'NaN',
    '"text"',
    '['.repeat(100_000),
    `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
    text.replace('"calls":[', `"calls":[${'[['.repeat(60)}${']]'.repeat(60)},`),
    'x'.repeat(PROOF_MAX_BYTES + 1),
    `[${'0,'.repeat(1_500_000)}0]`,
    text.replace(/"steps":\d+/, '"steps":1e999'),
    text.replace(/"steps":\d+/, '"steps":1000000000'),
    text.replace(/"seed":\d+/, '"seed":-1'),
    text.replace('"ids"', '"__proto__"'),
    `\ufeff${text}`,
    `${text}\n`,
  ]) {
    expect(verifyProof(RAPIER, strange).is, strange.slice(0, 40)).toBe('damaged');
  }
});
