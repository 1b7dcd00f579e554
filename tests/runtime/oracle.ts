import type { RuntimeCore } from '../../src/runtime/core.ts';

/** A judge that reads the physics bodies and shares no code with the skills. World frame, metres, radians. */

export interface BodyTruth {
  position: [number, number, number];
  yawRad: number;
  linearMps: number;
  angularRps: number;
}

interface Body {
  translation(): { x: number; y: number; z: number };
  rotation(): { x: number; y: number; z: number; w: number };
  linvel(): { x: number; y: number; z: number };
  angvel(): { x: number; y: number; z: number };
}

function truthOf(body: Body): BodyTruth {
  const p = body.translation();
  const q = body.rotation();
  const v = body.linvel();
  const w = body.angvel();
  return {
    position: [p.x, p.y, p.z],
    yawRad: Math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z)),
    linearMps: Math.hypot(v.x, v.y, v.z),
    angularRps: Math.hypot(w.x, w.y, w.z),
  };
}

export const robotTruth = ({ world }: RuntimeCore): BodyTruth => truthOf(world.base.rigidBody);

export function cubeTruth({ world }: RuntimeCore, entityId: string): BodyTruth {
  const thing = world.things.byId.get(entityId);
  if (!thing) throw new Error(`no ${entityId}`);
  return truthOf(thing.rigidBody);
}

/** How many joints of the physics world hold this cube. */
export function jointsOn({ world }: RuntimeCore, entityId: string): number {
  const handle = world.things.byId.get(entityId)?.rigidBody.handle;
  let count = 0;
  world.physics.impulseJoints.forEach((joint) => {
    if (joint.body1().handle === handle || joint.body2().handle === handle) count += 1;
  });
  return count;
}

/** All joints of the physics world: the things in the hands, independent of any report. */
export function jointCount({ world }: RuntimeCore): number {
  let count = 0;
  world.physics.impulseJoints.forEach(() => {
    count += 1;
  });
  return count;
}

export const planarDistance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot((a[0] ?? 0) - (b[0] ?? 0), (a[1] ?? 0) - (b[1] ?? 0));
