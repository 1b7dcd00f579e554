/** Statistics of repeated runs. Plain arithmetic: nothing here is simulated, so `Math` is enough. */

/** The bounds between which a rate lies with a probability of at least 95 %. */
export interface Interval {
  low: number;
  high: number;
}

const CONFIDENCE = 0.95;
const BISECTIONS = 60;

/**
 * Returns the equal-tailed 95 % interval of a success rate. All rates count as equally likely before the runs (a uniform prior), so after them the
 * rate is distributed as Beta(passed + 1, failed + 1). When no run passed, the lower bound is 0, and when all did, the upper bound is 1, so that
 * the interval contains the rate, as is usual for such intervals (Brown, Cai, DasGupta 2001).
 */
export function successInterval(passed: number, runs: number): Interval {
  const [a, b] = [passed + 1, runs - passed + 1];
  const tail = (1 - CONFIDENCE) / 2;
  return { low: passed === 0 ? 0 : betaQuantile(tail, a, b), high: passed === runs ? 1 : betaQuantile(1 - tail, a, b) };
}

/**
 * Returns the estimated chance that k runs of one task all pass: of all choices of k of its runs, the share in which all passed,
 * C(passed, k) / C(runs, k). This is the measure pass^k of τ-bench (Yao et al. 2024).
 * @returns null with fewer than k runs
 */
export function passHatK(passed: number, runs: number, k: number): number | null {
  if (k < 1 || runs < k) return null;
  let chance = 1;
  for (let taken = 0; taken < k; taken += 1) chance *= Math.max(0, passed - taken) / (runs - taken);
  return chance;
}

/** Returns whether two intervals are disjoint, the first one below. */
export const isBelow = (one: Interval, other: Interval): boolean => one.high < other.low;

interface Runs {
  passed: number;
  runs: number;
}

const RUNS_TO_TELL_MAX = 100;

/**
 * Returns how many runs each of two evaluations needs at least, so that their intervals lie apart if they pass at these rates. Passed runs are
 * rounded to the side that makes the rates more alike.
 * @returns null if 100 runs are too few
 */
export function runsToDecide(better: Runs, worse: Runs): number | null {
  for (let runs = 1; runs <= RUNS_TO_TELL_MAX; runs += 1) {
    const most = Math.floor((better.passed * runs) / better.runs);
    const least = Math.ceil((worse.passed * runs) / worse.runs);
    if (isBelow(successInterval(least, runs), successInterval(most, runs))) return runs;
  }
  return null;
}

function betaQuantile(share: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (let turn = 0; turn < BISECTIONS; turn += 1) {
    const middle = (low + high) / 2;
    if (betaShare(middle, a, b) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Returns the regularised incomplete beta function Iₓ(a, b) for whole a and b. For these it is the tail of a binomial distribution: the chance of at
 * least a successes among a + b - 1 tries, each with the chance x (Digital Library of Mathematical Functions, 8.17.5).
 */
export function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const tries = a + b - 1;
  // The sum of the binomial tail, each term from the one before, in logarithms so that none underflows.
  let logTerm = tries * Math.log1p(-x);
  let below = a > 0 ? Math.exp(logTerm) : 0;
  for (let successes = 1; successes < a; successes += 1) {
    logTerm += Math.log((tries - successes + 1) / successes) + Math.log(x) - Math.log1p(-x);
    below += Math.exp(logTerm);
  }
  return Math.min(1, Math.max(0, 1 - below));
}
