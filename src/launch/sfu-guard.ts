/**
 * The process between a launcher and its SFU. It is started with an IPC channel and runs the SFU for the process at the other
 * end. When that process exits, in any way, the channel closes, and the SFU is ended. This file imports nothing of the project,
 * so that it starts fast.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The launcher's messages to its guard. */
export type ToGuard = { kind: 'start'; binary: string; config: string } | { kind: 'stop' };
/** The guard's messages to its launcher. */
export type FromGuard =
  | { kind: 'started'; pid: number }
  | { kind: 'log'; line: string }
  | { kind: 'exited'; code: number | null; signal: string | null };

/** How long the SFU may take for an orderly exit before it is killed. It stores nothing on disk. */
const STOP_GRACE_MS = 400;

let sfu: ChildProcess | null = null;
let leaving = false;

process.on('message', (message: ToGuard) => {
  if (message.kind === 'start') start(message.binary, message.config);
  else stop();
});
process.on('disconnect', stop);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);

function start(binary: string, config: string): void {
  if (sfu || leaving) return;
  // The keys are passed in the environment: every user of the machine can read arguments.
  const child = spawn(binary, [], { env: { ...process.env, LIVEKIT_CONFIG: config }, stdio: ['ignore', 'pipe', 'pipe'] });
  sfu = child;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => post({ kind: 'log', line }));
  }
  child.once('spawn', () => post({ kind: 'started', pid: child.pid ?? 0 }));
  child.once('error', (error) => ended(`${error.message}`, null, null));
  child.once('close', (code, signal) => ended(null, code, signal));
}

function ended(line: string | null, code: number | null, signal: string | null): void {
  if (!sfu) return;
  sfu = null;
  if (line !== null) post({ kind: 'log', line });
  post({ kind: 'exited', code, signal });
  if (leaving) process.exit(0);
}

function stop(): void {
  if (leaving) return;
  leaving = true;
  const child = sfu;
  if (!child) process.exit(0);
  // The first signal makes LiveKit wait for its participants to leave; the second ends it at once.
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGTERM'), 50);
  setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
}

function post(message: FromGuard): void {
  if (process.connected) process.send?.(message, () => {});
}
