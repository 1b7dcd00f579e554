import type { Vec3 } from '../protocol/geometry.ts';

/** The cube that left the hands last. */
export interface LostCube {
  entityId: string;
  step: number;
  simTimeS: number;
  /** The place where it left the hands, for a cube that is no longer in the scene. */
  position: Vec3;
}
