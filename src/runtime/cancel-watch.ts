/** A moment on the runtime's own clock, of the participant with this `driverKey`. */
export interface CancelMoment {
  readonly key: string;
  readonly atMs: number;
}

/** Who stopped what others ran in the last ten seconds. */
export interface CancelWatch {
  /** Actions of others that were stopped, the oldest first. */
  cancels: CancelMoment[];
  /** The moments at which the room was told. */
  told: CancelMoment[];
}

/** Returns a robot of which nobody has stopped anything. */
export const createCancelWatch = (): CancelWatch => ({ cancels: [], told: [] });
