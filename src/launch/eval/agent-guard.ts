/**
 * The process between an evaluation and an agent's program. It is started with an IPC channel and runs the program for the
 * process at the other end. When that process exits, in any way, the channel closes, and the program is ended with every process
 * that it has started. This file imports nothing of the project, so that it starts fast.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The evaluation's messages to the guard. `marker` is the name=value in the environment that identifies every process of the
 * program.
 */
export type ToAgentGuard =
  | { kind: 'start'; command: string; cwd: string; env: Record<string, string>; marker: string }
  | { kind: 'end' };
/** The guard's messages. After `exited`, the leftover processes of the program are ended; `over` is the last message. */
export type FromAgentGuard =
  | { kind: 'started'; pid: number }
  | { kind: 'not_started'; code: string }
  | { kind: 'exited'; code: number | null; signal: string | null }
  | { kind: 'over'; leftBehind: number };

const TERM_GRACE_MS = 2_000;
const LOOK_EVERY_MS = 50;
/** How long to wait for a program that keeps starting processes. */
const CLEAN_MAX_MS = 5_000;

let agent: ChildProcess | null = null;
let marker = '';
let hasExited = false;
let isCleaning = false;

process.on('message', (message: ToAgentGuard) => {
  if (message.kind === 'start') start(message);
  else void end();
});
process.on('disconnect', () => void end());
// Ctrl-C reaches the whole process group of the terminal. The evaluation decides when to end.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

function start({ command, cwd, env, marker: given }: Extract<ToAgentGuard, { kind: 'start' }>): void {
  if (agent) return;
  marker = given;
  // A separate process group, so that one signal reaches all of it.
  agent = spawn(command, {
    shell: true,
    cwd,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  });
  agent.once('spawn', () => post({ kind: 'started', pid: agent?.pid ?? 0 }));
  agent.once('error', (error) => {
    hasExited = true;
    post({ kind: 'not_started', code: 'code' in error ? String(error.code) : error.name });
    void end();
  });
  agent.once('exit', (code, signal) => {
    hasExited = true;
    post({ kind: 'exited', code, signal });
    void end();
  });
}

/** Asks the program to end, then kills it, then kills its leftover processes, and finally reports that and exits. */
async function end(): Promise<void> {
  if (isCleaning) return;
  isCleaning = true;
  if (!hasExited) {
    signalGroup('SIGTERM');
    for (let waitedMs = 0; waitedMs < TERM_GRACE_MS && !hasExited; waitedMs += LOOK_EVERY_MS) await pause();
  }
  const left = hasExited ? remaining() : [];
  for (let waitedMs = 0; waitedMs < CLEAN_MAX_MS; waitedMs += LOOK_EVERY_MS) {
    signalGroup('SIGKILL');
    const present = remaining();
    for (const pid of present) kill(pid, 'SIGKILL');
    if (present.length === 0 && hasExited) break;
    await pause();
  }
  post({ kind: 'over', leftBehind: left.length });
  setTimeout(() => process.exit(0), LOOK_EVERY_MS);
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

function signalGroup(signal: NodeJS.Signals): void {
  if (agent?.pid === undefined) return;
  if (process.platform === 'win32') agent.kill(signal);
  else kill(-agent.pid, signal);
}

/** Returns the processes of the program, by its mark, including those that have left its group. Only Linux shows them. */
function remaining(): number[] {
  if (process.platform !== 'linux' || marker === '') return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(marker);
      // An ended process stays until its parent collects it.
      return isOurs && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')) ? [pid] : [];
    } catch {
      return [];
    }
  });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}

function post(message: FromAgentGuard): void {
  if (process.connected) process.send?.(message, () => undefined);
}
