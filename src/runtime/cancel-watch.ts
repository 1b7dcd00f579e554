/** A moment on the runtime's own clock, of the participant with this `driverKey`. */
export interface CancelMoment {
  readonly key: string;
  readonly atMs: number;
}

/** The stops of other participants' actions in the last ten seconds. */
export interface CancelWatch {
  /** Stops of the actions of others, oldest first. */
  cancels: CancelMoment[];
  /** The moments of the reports to the room. */
  reported: CancelMoment[];
}

/** Returns a watch without recorded stops. */
export const createCancelWatch = (): CancelWatch => ({ cancels: [], reported: [] });
