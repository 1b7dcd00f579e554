import { readFileSync } from 'node:fs';

/** Linux counts processor time in this many parts of a second, whatever the machine. */
const TICKS_PER_S = 100;

/** How long the threads of a process have had a core since it began, milliseconds. */
export function coreTimeMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_S) * 1_000;
}
