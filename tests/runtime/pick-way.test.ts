import { describe, expect, it } from 'vitest';
import { cubeTruth } from './oracle.ts';
import { createTestRuntime, entity } from './test-runtime.ts';

/** Things of the kitchen that are taken from its table while another stands on its edge before the robot, where arms swing up. */
const PICKS: readonly (readonly [seed: number, id: string, onTheEdge: string])[] = [
  [5, 'cereal', 'table_cube'],
  [24, 'can', 'table_cube'],
  [47, 'can', 'cup'],
  [57, 'table_cube', 'cup'],
];

describe('P2 a thing on the near edge of a table', () => {
  it.each(PICKS)('seed %i: a pick of %s leaves %s where it is', async (seed, id, onTheEdge) => {
    const t = await createTestRuntime({ sceneId: 'kitchen', seed });
    expect(t.invoke('go_to', entity(id)).status).toBe('done');
    const before = cubeTruth(t.core, onTheEdge).position;
    expect(t.invoke('pick_entity', entity(id)).status).toBe('done');
    t.advance(60);
    const after = cubeTruth(t.core, onTheEdge).position;
    expect(Math.hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2])).toBeLessThan(0.03);
  });
});
