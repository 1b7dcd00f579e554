/** Processor time of a process and of all its descendants. */
import { readdirSync } from 'node:fs';
import { type ProcessTimes, processTimes } from './process-times.ts';

/**
 * Returns the processor time of a process, its living descendants, and its dead ones that were waited for, seconds.
 * @returns 0 on systems without /proc
 */
export function treeTimeS(pid: number): number {
  const processes = new Map<number, ProcessTimes>();
  for (const name of processNames()) {
    try {
      processes.set(Number(name), processTimes(Number(name)));
    } catch {
      // The process has just ended.
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
