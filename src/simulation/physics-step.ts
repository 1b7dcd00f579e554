import type RAPIER from '@dimforge/rapier3d-compat';

/** The gravity of a world as the engine itself has it. */
type RawGravity = ReturnType<typeof RAPIER.VectorOps.intoRaw>;

const rawGravities = new WeakMap<RAPIER.World, RawGravity>();

function rawGravityOf(rapier: typeof RAPIER, physics: RAPIER.World): RawGravity {
  const known = rawGravities.get(physics);
  if (known) return known;
  const made = rapier.VectorOps.intoRaw(physics.gravity);
  rawGravities.set(physics, made);
  return made;
}

/**
 * Moves physics on by its timestep. `World.step` does the same, and then asks for every body and every collider whether it is known and
 * whether it still exists, because soft bodies may make and lose some in a step. Our world has no soft bodies, and those questions take
 * longer than the physics of a quiet world. It also hands the engine a new vector of gravity at each step; ours never changes.
 */
export function stepPhysics(rapier: typeof RAPIER, physics: RAPIER.World): void {
  physics.physicsPipeline.raw.step(
    rawGravityOf(rapier, physics),
    physics.integrationParameters.raw,
    physics.islands.raw,
    physics.broadPhase.raw,
    physics.narrowPhase.raw,
    physics.bodies.raw,
    physics.colliders.raw,
    physics.softBodies.raw,
    physics.impulseJoints.raw,
    physics.multibodyJoints.raw,
    physics.ccdSolver.raw,
  );
}
