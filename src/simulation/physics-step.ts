import type RAPIER from '@dimforge/rapier3d-compat';

/**
 * Moves physics on by its timestep. `World.step` does the same, and then asks for every body and every collider whether it is known and
 * whether it still exists, because soft bodies may make and lose some in a step. Our world has no soft bodies, and those questions take
 * longer than the physics of a quiet world.
 */
export function stepPhysics(physics: RAPIER.World): void {
  physics.physicsPipeline.step(
    physics.gravity,
    physics.integrationParameters,
    physics.islands,
    physics.broadPhase,
    physics.narrowPhase,
    physics.bodies,
    physics.colliders,
    physics.softBodies,
    physics.impulseJoints,
    physics.multibodyJoints,
    physics.ccdSolver,
  );
}
