/** Processor time of a process and of everything that it started. */
import { readdirSync } from 'node:fs';
import { type ProcessTimes, processTimes } from './process-times.ts';

/**
 * Returns the processor time of a process, of its living descendants, and of the dead ones that somebody waited for, seconds.
 * @returns 0 on systems without /proc
 */
export function treeTimeS(pid: number): number {
  const processes = new Map<number, ProcessTimes>();
  for (const name of processNames()) {
    try {
      processes.set(Number(name), processTimes(Number(name)));
    } catch {
      // It has just ended.
    }
  }
  const isOurs = (of: number): boolean => {
    for (let at: number | undefined = of; at !== undefined; at = processes.get(at)?.parentPid) if (at === pid) return true;
    return false;
  };
  let seconds = 0;
  for (const [id, { ownS, waitedS }] of processes) if (isOurs(id)) seconds += ownS + waitedS;
  return seconds;
}

function processNames(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
