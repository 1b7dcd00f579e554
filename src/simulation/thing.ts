import type RAPIER from '@dimforge/rapier3d-compat';
import type { ThingColour } from '../protocol/wire/scene.ts';
import type { ThingShape } from '../protocol/wire/thing-shape.ts';

/** The mover of a thing: nothing (it rests, falls or is pushed), the belt, or the hands. */
export type ThingCarrier = 'none' | 'belt' | 'hands';

/** The properties of a movable thing, which it keeps. */
export interface ThingTraits {
  readonly entityId: string;
  readonly colour: ThingColour;
  readonly shape: ThingShape;
  readonly category: string;
  readonly massKg: number;
  readonly friction: number;
}

/**
 * One movable thing of the world: most are cubes, others have another shape. Pose and speeds are copies from physics after the last step,
 * world frame.
 */
export interface Thing extends ThingTraits {
  /** Whether it is of the category of cubes, and so of their shape. */
  readonly isCube: boolean;
  /** How much farther it reaches from its centre than a cube, metres; never negative. */
  readonly beyondCubeM: number;
  readonly rigidBody: RAPIER.RigidBody;
  /** One for a solid shape; a container's floor, then its walls. */
  readonly colliders: readonly RAPIER.Collider[];
  readonly position: { x: number; y: number; z: number };
  readonly rotation: { x: number; y: number; z: number; w: number };
  linearSpeedMps: number;
  angularSpeedRps: number;
  carrier: ThingCarrier;
  /** Consecutive steps without motion. */
  restSteps: number;
  /** The pad it rests on, known while it rests. */
  restsOnPadId: string | null;
  /** Its place in the row on the belt, or null when it is not part of the row. */
  rowSlot: number | null;
}

export interface ThingsState {
  readonly all: Thing[];
  readonly byId: Map<string, Thing>;
  /** Number of the next id; ids are never used twice. */
  nextNumber: number;
}
