/**
 * Version of the simulation's behaviour (promise P12): a recorded call log with its seed replays to the same state hash at every step
 * as long as this number is the same. Whoever changes how the world moves raises it: `npm run golden` does, and writes new golden hashes.
 */
export const SIM_PROTOCOL = 4;
