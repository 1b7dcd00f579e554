import rapier from '@dimforge/rapier3d-compat';
import { beforeAll, expect, it } from 'vitest';
import { warmUp } from '../../../src/runtime/host/warm-up.ts';

beforeAll(() => rapier.init());

it('the warm-up reports its progress after each slice, and rests', async () => {
  const shares: number[] = [];
  let rests = 0;
  await warmUp(
    rapier,
    { seed: 1 },
    {
      steps: 12,
      sliceSteps: 4,
      onShare: (share) => shares.push(share),
      rest: async () => {
        rests += 1;
      },
    },
  );
  expect(shares).toEqual([0, 4 / 12, 8 / 12]);
  expect(rests).toBe(3);
});

it('the warm-up ends at the next step when the engine is not needed any more', async () => {
  const shares: number[] = [];
  const isOver = () => shares.length === 2;
  await warmUp(
    rapier,
    { seed: 1 },
    { steps: 1_000, sliceSteps: 4, onShare: (share) => shares.push(share), rest: async () => {}, isOver },
  );
  expect(shares).toEqual([0, 4 / 1_000]);
});
