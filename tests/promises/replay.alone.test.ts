import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, expect, test } from 'vitest';
import { SIM_PROTOCOL } from '../../src/simulation/sim-protocol.ts';
import { promiseTest } from './promise-test.ts';
import { replaySuite } from './replay.ts';
import { type Golden, goldenOf, goldenProblems, readGolden } from './replay-golden-file.ts';
import { createStage } from './replay-log.ts';

promiseTest(replaySuite);

let now: Golden;
beforeAll(async () => {
  await RAPIER.init();
  now = goldenOf(RAPIER, SIM_PROTOCOL);
});

test('P12 the golden logs replay to the golden hashes, or SIM_PROTOCOL was raised', () => {
  expect(goldenProblems(readGolden(), now, SIM_PROTOCOL)).toEqual([]);
});

test('P12 the golden logs give the same 10,000 hashes in another process', () => {
  expect(now.logs.reduce((sum, { steps }) => sum + steps, 0)).toBe(10_000);
  const elsewhere = execFileSync(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'replay-digests.ts')]);
  expect(JSON.parse(elsewhere.toString())).toEqual(now.logs);
}, 300_000);

test('P12 the golden logs use every skill that moves the world', () => {
  const ended = new Set(now.logs.flatMap(({ ends }) => ends));
  for (const end of [
    'set_velocity done',
    'go_to done',
    'pick_entity done',
    'place_entity done',
    'set_head done',
    'look_at done',
    'reset done',
    'select_scene done',
    'configure_benchmark done',
    'pick_entity CANCELLED',
    'pick_entity DEADLINE_EXCEEDED',
  ]) {
    expect(ended, end).toContain(end);
  }
});

test('P12 a change of behaviour without a new number is reported in a sentence with the remedy', () => {
  const [log] = now.logs;
  if (!log) throw new Error('no golden logs');
  const changed: Golden = { ...now, logs: [{ ...log, digests: log.digests.map((digest, i) => (i < 3 ? digest : 'other')) }] };
  expect(goldenProblems(now, now, SIM_PROTOCOL)).toEqual([]);
  expect(goldenProblems(now, changed, SIM_PROTOCOL)[0]).toMatch(/"sorting".* between steps 751 and 1000.*npm run golden/);
  expect(goldenProblems({ ...now, sim_protocol: 0 }, now, SIM_PROTOCOL)[0]).toMatch(
    /SIM_PROTOCOL is .* of 0\. Run: npm run golden/,
  );
  expect(goldenProblems(null, now, SIM_PROTOCOL)[0]).toMatch(/npm run golden/);
});

test('P12 the manifest contains the number', () => {
  const stage = createStage(RAPIER, 1);
  stage.call({ method: 'runtime.manifest', payload: {}, caller: 'agent' }, (reply) =>
    expect(reply).toMatchObject({ sim_protocol: SIM_PROTOCOL }),
  );
  stage.runtime.dispose();
  expect.assertions(1);
});
