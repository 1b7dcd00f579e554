import type RAPIER from '@dimforge/rapier3d-compat';
import type { CubeColour } from '../protocol/scene.ts';

/** The thing that moves a cube: nothing (it stands, falls or is pushed), the belt, or the hands. */
export type CubeCarrier = 'none' | 'belt' | 'hands';

/** One cube of the world. Pose and speeds are copies from physics after the last step, world frame. */
export interface Cube {
  readonly entityId: string;
  readonly colour: CubeColour;
  readonly rigidBody: RAPIER.RigidBody;
  readonly collider: RAPIER.Collider;
  readonly position: { x: number; y: number; z: number };
  readonly rotation: { x: number; y: number; z: number; w: number };
  linearSpeedMps: number;
  angularSpeedRps: number;
  carrier: CubeCarrier;
  /** Consecutive steps without motion. */
  restSteps: number;
  /** The pad it rests on, known while it rests. */
  restsOnPadId: string | null;
  /** Its place in the row on the belt, or null when it is not part of the row. */
  rowSlot: number | null;
}

export interface CubesState {
  readonly all: Cube[];
  readonly byId: Map<string, Cube>;
  /** Number of the next id; ids are never used twice. */
  nextNumber: number;
}
