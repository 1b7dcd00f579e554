import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A lock that one process holds, by a file that names it. */
export interface ProcessLock {
  release(): void;
}

/** Who holds a lock that was asked for, when it is not free. */
export interface LockHeld {
  holderPid: number;
}

/** Locks that this very process holds. */
const held = new Set<string>();

/**
 * Takes the lock at `path`, or says which living process holds it. The lock of a process that has died is taken over.
 * Two holders in one process exclude each other too.
 */
export function takeProcessLock(path: string): ProcessLock | LockHeld {
  if (held.has(path)) return { holderPid: process.pid };
  mkdirSync(dirname(path), { recursive: true });
  // Two rounds: the second after the file of a dead process was removed.
  for (let round = 0; round < 2; round += 1) {
    if (writeNew(path, `${process.pid} ${bornAt(process.pid)}\n`)) {
      held.add(path);
      return {
        release: () => {
          if (held.delete(path)) rmSync(path, { force: true });
        },
      };
    }
    const holder = readText(path);
    const pid = livingHolder(holder);
    if (pid !== null) return { holderPid: pid };
    if (holder !== null) removeStale(path, holder);
  }
  return { holderPid: livingHolder(readText(path)) ?? 0 };
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

function livingHolder(text: string | null): number | null {
  const [, pidText, born] = /^(\d+) (\S*)\n$/.exec(text ?? '') ?? [];
  const pid = Number(pidText);
  return pid > 0 && isAlive(pid) && bornAt(pid) === born ? pid : null;
}

/** Tells a process from a later one with the same pid, where the system says when it was started (Linux); else empty. */
function bornAt(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  const boot = readText('/proc/sys/kernel/random/boot_id');
  // The command name, in parentheses, may hold spaces; the start time is the 20th field after it (proc(5), field 22).
  const startTime = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return boot && startTime ? `${boot.trim()}:${startTime}` : '';
}

/** Removes the file of a dead holder; a lock that somebody took in between is put back. */
function removeStale(path: string, expected: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readText(aside) !== expected) linkSync(aside, path);
  } catch {
    // Somebody else was faster; the next round sees what there is.
  }
  rmSync(aside, { force: true });
}

function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
