import type { Physics } from '../../simulation/sim-world.ts';

let started: Promise<Physics> | null = null;

/**
 * Loads the physics engine, once in a process. A second load that begins before the first has ended would put other memory in the
 * place of that in which worlds are already.
 */
export function startEngine(): Promise<Physics> {
  started ??= load();
  // What failed for want of memory may be tried again.
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
