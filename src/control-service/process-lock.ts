import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type LockStep, takingSteps } from './process-lock-steps.ts';

/** A lock that one process holds, by a file that names it. */
export interface ProcessLock {
  release(): void;
}

/** The holder of a lock that is not free. */
export interface LockHeld {
  holderPid: number;
}

/** Locks held by this process. */
const held = new Set<string>();

/**
 * Takes the lock at `path`, or returns which living process holds it. The lock of a dead process is taken over by exactly one
 * process, however many try (see `process-lock-steps.ts`). Two holders in one process exclude each other too.
 * @throws If the folder cannot be written, or its file system has no hard links
 */
export function takeProcessLock(path: string): ProcessLock | LockHeld {
  if (held.has(path)) return { holderPid: process.pid };
  mkdirSync(dirname(path), { recursive: true });
  // No two attempts have the same text, so a statement about one holder never applies to a later one.
  const steps = takingSteps(path, `${process.pid} ${bornAt(process.pid)} ${randomBytes(9).toString('base64url')}\n`);
  let result: unknown;
  for (;;) {
    const step = steps.next(result);
    if (!step.done) {
      result = carryOut(path, step.value);
      continue;
    }
    if (step.value.kind === 'held') return { holderPid: holderOf(step.value.by)?.pid ?? 0 };
    held.add(path);
    return {
      release: () => {
        if (held.delete(path)) rmSync(path, { force: true });
      },
    };
  }
}

/** Whether a process with this pid runs, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function carryOut(path: string, step: LockStep): unknown {
  switch (step.op) {
    case 'read':
      return readText(step.path);
    case 'is-alive':
      return isHolderAlive(step.text);
    case 'create':
      return withWholeFile(path, step.text, (whole) => linkNew(whole, step.path));
    case 'replace':
      return withWholeFile(path, step.text, (whole) => renameSync(whole, step.path));
    case 'remove':
      return rmSync(step.path, { force: true });
    case 'list': {
      removeLitter(path);
      const start = `${basename(path)}.after-`;
      return namesBeside(path, start).map((name) => join(dirname(path), name));
    }
  }
}

/** Creates a file with this complete text, under a unique name. */
function withWholeFile<T>(path: string, text: string, use: (whole: string) => T): T {
  const whole = `${path}.new-${process.pid}-${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(whole, text, { flag: 'wx', mode: 0o600 });
    return use(whole);
  } finally {
    rmSync(whole, { force: true });
  }
}

function linkNew(whole: string, path: string): boolean {
  try {
    linkSync(whole, path);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'EPERM' || code === 'ENOSYS' || code === 'ENOTSUP' || code === 'EOPNOTSUPP') {
      throw new Error(
        `The folder ${dirname(path)} cannot hold a lock: its file system has no hard links. Use a folder of another.`,
      );
    }
    throw new Error(`The lock ${path} cannot be taken: ${message}`);
  }
}

/** Removes unfinished files of processes that were killed. */
function removeLitter(path: string): void {
  for (const name of namesBeside(path, `${basename(path)}.new-`)) {
    const pid = Number(/\.new-(\d+)-[^-]*$/.exec(name)?.[1]);
    if (!(pid > 0 && isAlive(pid))) rmSync(join(dirname(path), name), { force: true });
  }
}

const namesBeside = (path: string, start: string): string[] =>
  readdirSync(dirname(path)).filter((name) => name.startsWith(start));

function holderOf(text: string): { pid: number; born: string } | null {
  const [, pid, born] = /^(\d+) (\S*)(?: \S+)?\n$/.exec(text) ?? [];
  return Number(pid) > 0 ? { pid: Number(pid), born: born ?? '' } : null;
}

function isHolderAlive(text: string): boolean {
  const holder = holderOf(text);
  return holder !== null && isAlive(holder.pid) && !hasEnded(holder.pid) && bornAt(holder.pid) === holder.born;
}

/** Distinguishes a process from a later one with the same pid, if the system reports its start time (Linux); otherwise empty. */
function bornAt(pid: number): string {
  const boot = readText('/proc/sys/kernel/random/boot_id');
  const startTime = statOf(pid)[19];
  return boot && startTime ? `${boot.trim()}:${startTime}` : '';
}

/**
 * Returns whether a process has ended. If the parent never collects the exit status of a killed process, that process keeps its
 * pid without running (Linux).
 */
const hasEnded = (pid: number): boolean => ['Z', 'X'].includes(statOf(pid)[0] ?? '');

/** Returns the fields from the state on (proc(5), field 3). The command name before them, in parentheses, may contain spaces. */
function statOf(pid: number): readonly string[] {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
