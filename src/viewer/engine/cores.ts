/** The page, the physics and the cameras each keep one core busy while they start. */
const CORES_FOR_ALL_AT_ONCE = 4;

/** Tells whether everything of a page starts faster side by side here. Otherwise what draws waits until the robot can act. */
export const startsAllAtOnce = (): boolean => navigator.hardwareConcurrency >= CORES_FOR_ALL_AT_ONCE;
