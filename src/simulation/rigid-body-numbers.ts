import type RAPIER from '@dimforge/rapier3d-compat';

/** Yields the changing numbers of a body of the physics world, for the state hash. */
export function* rigidBodyNumbers(rigidBody: RAPIER.RigidBody): Generator<number> {
  const [p, r, v, w] = [rigidBody.translation(), rigidBody.rotation(), rigidBody.linvel(), rigidBody.angvel()];
  yield* [p.x, p.y, p.z, r.x, r.y, r.z, r.w, v.x, v.y, v.z, w.x, w.y, w.z, rigidBody.isSleeping() ? 1 : 0];
}
