import { expect, it } from 'vitest';
import { readEvalArgs } from '../../src/launch/eval/eval-args.ts';
import { MAX_SEED } from '../../src/protocol/wire/limits.ts';

const adaptive = (...more: string[]) => readEvalArgs(['task.json', '--agent', 'planner', '--adaptive', ...more]);

it('further seeds of --adaptive end with the largest, or are refused', () => {
  const seeds = ['--seeds', `${MAX_SEED - 5}..${MAX_SEED - 2}`];
  // Four seeds are given, and two are left.
  expect(adaptive(...seeds, '--max-runs', '6')?.adaptive).toMatchObject({ runsMax: 6 });
  expect(() => adaptive(...seeds, '--max-runs', '7')).toThrow(
    `--adaptive continues after the seed ${MAX_SEED - 2}, and would pass the largest, ${MAX_SEED}. Give smaller --seeds, or --max-runs 6.`,
  );
  // At most the given seeds.
  expect(adaptive('--seeds', String(MAX_SEED), '--max-runs', '1')?.adaptive).toMatchObject({ runsMax: 1 });
  expect(adaptive('--seeds', `1,${MAX_SEED}`, '--max-runs', '1')?.adaptive).toMatchObject({ runsMax: 1 });
});
