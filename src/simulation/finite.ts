import type RAPIER from '@dimforge/rapier3d-compat';
import type { SimWorld } from './sim-world.ts';

/** A number of the world is not finite: nothing that follows from it could be true. */
export class NotFiniteError extends Error {
  override readonly name = 'NotFiniteError';
}

/**
 * Stops a computation with a number that is not finite. Numbers with a sum beyond the range of a double stop it too.
 * @param what the owner of the numbers, for the message
 * @throws NotFiniteError unless all are finite
 */
export function requireFinite(what: string, a: number, b = 0, c = 0, d = 0): void {
  const sum = a + b + c + d;
  // Infinity minus itself is NaN, and so is NaN minus itself.
  if (sum - sum !== 0) throw new NotFiniteError(`${what} is not finite: ${[a, b, c, d].join(', ')}`);
}

/**
 * Checks that physics still simulates a body. Physics silently removes a body whose numbers are not finite: it stays where it
 * was, and reports its old velocity for ever. Nothing else disables the base or a thing.
 * @throws NotFiniteError when physics has removed it
 */
export function requireSimulated(what: string, body: RAPIER.RigidBody): void {
  if (!body.isEnabled()) throw new NotFiniteError(`physics has taken out ${what}, whose numbers were not finite`);
}

/** Checks after a step the angles of all joints, the palms, and the head's target. Base and things are checked when physics is read. */
export function requireFiniteBody({ body: { jointPositions, palmCentres, head } }: SimWorld): void {
  let sum = 0;
  for (let i = 0; i < jointPositions.length; i += 1) sum += jointPositions[i] as number;
  const { right, left } = palmCentres;
  sum += right.x + right.y + right.z + left.x + left.y + left.z;
  requireFinite('the body', sum, head.yaw.velocity, head.pitch.velocity);
}
