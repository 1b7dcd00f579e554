import type { Vec3 } from '../protocol/wire/geometry.ts';

/** The thing that left the hands last. */
export interface LostThing {
  entityId: string;
  step: number;
  simTimeS: number;
  /** The place where it left the hands, for a thing that has left the scene. */
  position: Vec3;
}
