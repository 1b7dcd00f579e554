/** The page, the physics and the cameras each keep one core busy while they start. */
const CORES_FOR_ALL_AT_ONCE = 4;

/**
 * Returns whether this computer has enough cores to start all parts of a page in parallel. Otherwise drawing waits until the
 * robot can act.
 */
export const startsAllAtOnce = (): boolean => navigator.hardwareConcurrency >= CORES_FOR_ALL_AT_ONCE;
