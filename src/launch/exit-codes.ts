/** How the commands of `npm run simplesim` end; `--help` of each says when. */
export const EXIT = {
  good: 0,
  /** It ran, and what was to hold does not. */
  notPassed: 1,
  wrongUsage: 2,
  /** It could not run, or broke. */
  couldNotRun: 3,
} as const;
