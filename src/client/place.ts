/** A place of the world, metres: what a shortcut takes where it takes no id. */
export interface Place {
  /** Metres, in the world frame. */
  x: number;
  /** Metres, in the world frame. */
  y: number;
  /** Height, metres: of what to look at, or of the centre of a thing where it is to rest. @default 0, the floor */
  z?: number | undefined;
  /** Heading, degrees, positive to the left. @default any */
  yaw_deg?: number | undefined;
}
