/** Rounds a length, so that clients read 0.6 and not 0.6000000000000001, and 0 without a sign. */
export const toMicrometre = (metres: number): number => Math.round(metres * 1e6) / 1e6 + 0;
