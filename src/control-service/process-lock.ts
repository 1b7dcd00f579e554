import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A lock that one process holds, by a file with its pid. */
export interface ProcessLock {
  release(): void;
}

/** Who holds a lock that was asked for, when it is not free. */
export interface LockHeld {
  holderPid: number;
}

/**
 * Takes the lock at `path`, or says which living process holds it. The lock of a process that has died is taken over.
 * Two holders in one process exclude each other too.
 */
export function takeProcessLock(path: string): ProcessLock | LockHeld {
  mkdirSync(dirname(path), { recursive: true });
  // Two rounds: the second after the file of a dead process was removed.
  for (let round = 0; round < 2; round += 1) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holderPid = readHolder(path);
    if (holderPid !== null && isAlive(holderPid)) return { holderPid };
    rmSync(path, { force: true });
  }
  return { holderPid: readHolder(path) ?? 0 };
}

/** Whether a process with this pid runs (as anybody's). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readHolder(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
