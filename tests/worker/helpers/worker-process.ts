import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { LogEntry } from '../../../src/worker/log.ts';
import { type Command, commandArgs } from '../../launch/helpers/command.ts';

/** `npm run worker`, or another command that logs in the same form, as a separate process, with its log. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly log: LogEntry[];
  /** Everything that the process printed, including lines that are not log entries. */
  printed(): string;
  /**
   * Waits for the first matching entry among those logged from index `since` on, and returns it.
   * Fails if the process ends first, or after two minutes.
   */
  logged(event: string, fits?: (entry: LogEntry) => boolean, since?: number): Promise<LogEntry>;
  /** The exit code, or null if the process was killed. */
  readonly exit: Promise<number | null>;
}

const running = new Set<ChildProcess>();
/** Far longer than any event takes, and shorter than a test, so that the failure names the wait that timed out. */
const LOGGED_WITHIN_MS = 120_000;

/** Starts a worker. Its environment is that of the test without the SFU settings, plus `env`. */
export function runWorker(
  args: string[],
  env: Record<string, string>,
  stdin?: string,
  command: Command = 'worker',
): WorkerProcess {
  const { LIVEKIT_URL: _url, LIVEKIT_API_KEY: _key, LIVEKIT_API_SECRET: _secret, NODE_ENV: _env, ...clean } = process.env;
  const child = spawn(process.execPath, [...commandArgs(command), ...args], {
    env: { ...clean, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  child.stdin?.end(stdin ?? '');
  const log: LogEntry[] = [];
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of [...listeners]) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      const entry = parse(line);
      if (entry) log.push(entry);
      wake();
    });
  }
  let hasEnded = false;
  const exit = new Promise<number | null>((done) => {
    child.once('close', (code) => {
      running.delete(child);
      hasEnded = true;
      wake();
      done(code);
    });
  });

  return {
    child,
    log,
    exit,
    printed: () => lines.join('\n'),
    logged(event, fits = () => true, since = 0) {
      return new Promise((found, fail) => {
        const look = (): void => {
          const entry = log.slice(since).find((each) => each.event === event && fits(each));
          if (entry) settle(() => found(entry));
          else if (hasEnded) giveUp('the worker ended without');
        };
        const giveUp = (how: string): void => settle(() => fail(new Error(`${how} "${event}":\n${lines.join('\n')}`)));
        const tooLate = setTimeout(() => giveUp(`waited ${LOGGED_WITHIN_MS} ms in vain for`), LOGGED_WITHIN_MS).unref();
        const settle = (act: () => void): void => {
          clearTimeout(tooLate);
          listeners.delete(look);
          act();
        };
        listeners.add(look);
        look();
      });
    },
  };
}

/** Kills the processes that a test has left running. */
export function killWorkers(): void {
  for (const child of running) child.kill('SIGKILL');
}

function parse(line: string): LogEntry | null {
  try {
    return JSON.parse(line) as LogEntry;
  } catch {
    return null;
  }
}
