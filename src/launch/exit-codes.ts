/** The exit codes of `npm run simplesim`'s commands. The `--help` of each command explains them. */
export const EXIT = {
  good: 0,
  /** It ran, and the checked condition is not met. */
  notPassed: 1,
  wrongUsage: 2,
  /** It could not run, or failed. */
  couldNotRun: 3,
} as const;
