import type RAPIER from '@dimforge/rapier3d-compat';
import type { SimWorld } from './world.ts';

/** A number of the world is not finite: nothing that follows from it could be true. */
export class NotFiniteError extends Error {
  override readonly name = 'NotFiniteError';
}

/**
 * Stops whoever would go on with a number that is none. Numbers that sum up beyond what a double holds stop it too.
 * @param what whose numbers they are, for the message
 * @throws NotFiniteError unless all are finite
 */
export function requireFinite(what: string, a: number, b = 0, c = 0, d = 0): void {
  const sum = a + b + c + d;
  // Infinity less itself is NaN, as NaN less itself is.
  if (sum - sum !== 0) throw new NotFiniteError(`${what} is not finite: ${[a, b, c, d].join(', ')}`);
}

/**
 * Physics takes a body whose numbers are not finite out of the world without a word: it stays where it was, and its old velocity is told
 * for ever. Nobody else disables the base or a cube.
 * @throws NotFiniteError when it has
 */
export function requireSimulated(what: string, body: RAPIER.RigidBody): void {
  if (!body.isEnabled()) throw new NotFiniteError(`physics has taken out ${what}, whose numbers were not finite`);
}

/** After a step: the angles of all joints, the palms, and where the head is told to be. Base and cubes are looked at as physics is read. */
export function requireFiniteBody({ body: { jointsRad, palmCentres, head } }: SimWorld): void {
  let sum = 0;
  for (let i = 0; i < jointsRad.length; i += 1) sum += jointsRad[i] as number;
  for (let i = 0; i < palmCentres.length; i += 1) sum += palmCentres[i] as number;
  requireFinite('the body', sum, head.yaw.velocity, head.pitch.velocity);
}
