/** One foot, world frame; `xM`, `yM`, `zM` are of the ankle joint above a flat sole. */
export interface FootState {
  xM: number;
  yM: number;
  zM: number;
  yawRad: number;
  /** Positive: toe down. Zero while planted. */
  pitchRad: number;
  /** Fixed to the floor: neither place nor heading changes. */
  planted: boolean;
}

/** Both feet: right, then left. */
export interface GaitState {
  feet: [FootState, FootState];
}
