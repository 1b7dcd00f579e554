/** Processor time of a process and of everything that it started. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in this many parts of a second, whatever the machine. */
const TICKS_PER_S = 100;

/**
 * Returns the processor time of a process, of its living descendants, and of the dead ones that somebody waited for, seconds.
 * @returns 0 on systems without /proc
 */
export function treeTimeS(pid: number): number {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of processNames()) {
    const read = readStat(Number(name));
    if (read) processes.set(Number(name), read);
  }
  const isOurs = (of: number): boolean => {
    for (let at: number | undefined = of; at !== undefined; at = processes.get(at)?.parent) if (at === pid) return true;
    return false;
  };
  let ticks = 0;
  for (const [id, read] of processes) if (isOurs(id)) ticks += read.ticks;
  return ticks / TICKS_PER_S;
}

function processNames(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Times as in `man 5 proc`: utime, stime, and the same of children that were waited for. @returns null for one that has just ended */
function readStat(pid: number): { parent: number; ticks: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return null;
  }
}
