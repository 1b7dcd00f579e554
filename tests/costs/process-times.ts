import { readFileSync } from 'node:fs';

/** Linux counts processor time in this many parts of a second, on every machine. */
const TICKS_PER_S = 100;

/** Processor times of a process, as in `man 5 proc`. */
export interface ProcessTimes {
  parentPid: number;
  /** The time for which its threads have used a core since it began, seconds. */
  ownS: number;
  /** The same time for all its descendants that have ended and were waited for, seconds. */
  waitedS: number;
}

/** @throws if the process or /proc does not exist */
export function processTimes(pid: number): ProcessTimes {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may contain any characters.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const secondsOf = (...at: number[]): number => at.reduce((sum, field) => sum + Number(fields[field]), 0) / TICKS_PER_S;
  return { parentPid: Number(fields[1]), ownS: secondsOf(11, 12), waitedS: secondsOf(13, 14) };
}
