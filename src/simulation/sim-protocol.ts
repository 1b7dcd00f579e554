/**
 * Version of the simulation's behaviour (promise P12): a recorded call log with its seed replays to the same state hash at every
 * step as long as this number is the same. A change of how the world moves raises it: `npm run golden` does so, and writes new
 * golden hashes.
 */
export const SIM_PROTOCOL = 6;
