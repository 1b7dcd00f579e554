import { readdirSync, readFileSync } from 'node:fs';

/** Returns the ids of a process and of all its descendants. */
export function processTree(rootPid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const stat = textOf(`/proc/${name}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const withAll = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(withAll)];
  return withAll(rootPid);
}

/**
 * Returns how much memory processes use on an otherwise idle machine, in megabytes. It adds the anonymous memory of each process.
 * Of the file-backed memory of several processes, it counts only the largest part, once. PSS would share Node itself with other
 * running processes.
 */
export function memoryOf(pids: readonly number[]): number {
  let kB = 0;
  const files = new Map<string, number>();
  for (const pid of pids) {
    const own = new Map<string, number>();
    for (const mapping of textOf(`/proc/${pid}/smaps`).split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)) {
      const [, path = ''] = /^\S+ \S+ \S+ \S+ \S+ +(\/.*)$/m.exec(mapping) ?? [];
      const part = (name: string): number => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(mapping)?.[1] ?? 0);
      const anonymous = part('Anonymous');
      kB += anonymous;
      own.set(path, (own.get(path) ?? 0) + part('Rss') - anonymous);
    }
    for (const [path, size] of own) files.set(path, Math.max(size, files.get(path) ?? 0));
  }
  return [...files.values()].reduce((sum, size) => sum + size, kB) / 1024;
}

/** Returns the resident memory of a process in bytes; NaN if it has ended, or on a system without /proc. */
export function residentBytes(pid: number): number {
  const kB = /^VmRSS:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/status`))?.[1];
  return Number(kB ?? Number.NaN) * 1024;
}

/** Empty for a process that has just ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
