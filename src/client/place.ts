/** A place in the world, metres. A shortcut accepts it instead of an id. */
export interface Place {
  /** Metres, in the world frame. */
  x: number;
  /** Metres, in the world frame. */
  y: number;
  /** Height, metres: of the point to look at, or of the centre of a thing at its place. @default 0, the floor */
  z?: number | undefined;
  /** Heading, degrees, positive to the left. @default any */
  yaw_deg?: number | undefined;
}
