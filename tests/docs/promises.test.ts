/** The page of guarantees lists the promises that a robot reports. */
import { expect, it } from 'vitest';
import { PROMISES } from '../../scripts/docs/promises.ts';
import { createSimulation } from '../../src/headless/simulation.ts';

it('lists the promises that the robot reports, in their order', async () => {
  const simulation = await createSimulation({ seed: 1 });
  const { promises } = await simulation.call('runtime.capabilities');
  expect(PROMISES.map(({ id }) => id)).toEqual(promises);
  simulation.dispose();
});
