import type { Physics } from '../../simulation/sim-world.ts';

let started: Promise<Physics> | null = null;

/**
 * Loads the physics engine, once per process. A second load that begins before the first has ended would replace the memory that
 * already contains worlds.
 */
export function startEngine(): Promise<Physics> {
  started ??= load();
  // A load that failed for lack of memory may be retried.
  started.catch(() => {
    started = null;
  });
  return started;
}

async function load(): Promise<Physics> {
  const { default: rapier } = await import('@dimforge/rapier3d-compat');
  await rapier.init();
  return rapier;
}
