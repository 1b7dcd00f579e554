import { createWorld, disposeWorld, stepWorld } from '../../simulation/world.ts';

/** How a host warms an engine up. */
export interface WarmUp {
  steps: number;
  /** Steps between two rests, after which the host may serve others. */
  sliceSteps: number;
  /** Called after each slice with the completed share of the steps, from 0 to 1. */
  onShare(share: number): void;
  rest(): Promise<void>;
  /** Whether the host has stopped needing the engine. */
  isOver?(): boolean;
}

/**
 * Makes the first steps of a fresh engine in a world of their own. They run slow code, and the robot's own steps must not.
 * @param options of that world, as of the robot's own
 */
export async function warmUp(
  rapier: Parameters<typeof createWorld>[0],
  options: Parameters<typeof createWorld>[1],
  { steps, sliceSteps, onShare, rest, isOver = () => false }: WarmUp,
): Promise<void> {
  const scratch = createWorld(rapier, options);
  for (let made = 0; made < steps && !isOver(); made += 1) {
    stepWorld(scratch);
    if (made % sliceSteps !== 0) continue;
    onShare(made / steps);
    await rest();
  }
  disposeWorld(scratch);
}
