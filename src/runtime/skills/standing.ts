import * as portable from '../../common/portable-math.ts';
import * as errors from '../../protocol/texts/error-texts.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import * as base from '../../simulation/base.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';

/** Returns the error for parts of the body that still move after the time to come to rest; it includes the speed of the base. */
export function notStopped(
  world: SimWorld,
  parts: readonly string[],
  withinS: number,
  facts: Record<string, unknown> = {},
): RuntimeError {
  const { vx, vy, wz } = base.measuredVelocity(world);
  return errors.notStopped(
    parts,
    withinS,
    { linearMps: portable.hypot(vx, vy), angularRps: Math.abs(wz) },
    world.robot.model.words,
    facts,
  );
}
