import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { programBeside } from '../control-service/program-beside.ts';
import type { FromGuard, ToGuard } from './sfu-guard.ts';

/** The program of {@link SfuProcess} and its options. */
export interface SfuProcessOptions {
  binary: string;
  /** LiveKit's configuration, in YAML or JSON. */
  config: string;
  /** Secrets that are masked wherever the SFU logs them. */
  secrets: string[];
  /** Settles when the SFU answers, or when the answer is not needed (the signal). */
  isReady: (signal: AbortSignal) => Promise<void>;
  restart: boolean;
  /** Called when a restarted SFU answers, before `onLog` reports that. Its error is reported. */
  onRestart: () => Promise<void>;
  /** Receives a sentence when the SFU exits unexpectedly, runs again, or is given up. */
  onLog: (sentence: string) => void;
}

/** After this many restarts in a row that did not last, an SFU is not restarted again. */
const RESTARTS_MAX = 5;
/** A restart counts as lasting if the SFU lived this long. */
const LASTING_MS = 30_000;
const RESTART_DELAY_MS = 250;
const TAIL_LINES = 20;

type State = 'stopped' | 'starting' | 'up' | 'restarting' | 'given-up';

/** One SFU under its guard process: started, restarted when it dies, and reliably ended. */
export class SfuProcess {
  /** Process id of the SFU; null while it does not run. */
  pid: number | null = null;
  private state: State = 'stopped';
  private guard: ChildProcess | null = null;
  private readonly tail: string[] = [];
  private readonly options: SfuProcessOptions;
  private failStart: ((error: Error) => void) | null = null;
  private onStarted: (() => void) | null = null;
  private restarts = 0;
  private startedMs = 0;

  constructor(options: SfuProcessOptions) {
    this.options = options;
  }

  /**
   * Starts the SFU and waits until it answers and its process id is known.
   * @throws If it exits first, with its last log lines.
   */
  async start(): Promise<void> {
    this.state = 'starting';
    this.guard = this.startGuard();
    await this.launch();
    this.state = 'up';
    // A program may exit without calling stop(): the guard notices that.
    this.guard.unref();
    this.guard.channel?.unref();
  }

  /** Ends the SFU and its guard. Settles when both have exited. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    const guard = this.guard;
    this.guard = null;
    if (!guard || guard.exitCode !== null || guard.signalCode !== null) return;
    guard.ref();
    const gone = new Promise<void>((resolve) => guard.once('exit', () => resolve()));
    if (guard.connected) guard.send({ kind: 'stop' } satisfies ToGuard, () => {});
    else guard.kill('SIGTERM');
    await gone;
  }

  private startGuard(): ChildProcess {
    const { file, execArgv } = programBeside(import.meta.url, 'sfu-guard');
    const guard = fork(file, [], {
      execArgv,
      // A separate process group: Ctrl-C in the terminal reaches only the launcher, which then stops in order.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    guard.on('message', (message: FromGuard) => this.hear(message));
    guard.once('exit', () => this.guardEnded());
    guard.once('error', (error) => this.failStart?.(error));
    return guard;
  }

  private async launch(): Promise<void> {
    const { binary, config, isReady } = this.options;
    const failed = new Promise<never>((_, reject) => {
      this.failStart = reject;
    });
    const started = new Promise<void>((resolve) => {
      this.onStarted = resolve;
    });
    const waiting = new AbortController();
    this.startedMs = performance.now();
    this.guard?.send({ kind: 'start', binary, config } satisfies ToGuard);
    try {
      // On a busy machine it may answer before its guard has reported the start.
      await Promise.race([failed, Promise.all([isReady(waiting.signal), started])]);
    } finally {
      waiting.abort();
      this.failStart = null;
      this.onStarted = null;
    }
  }

  private hear(message: FromGuard): void {
    if (message.kind === 'started') {
      this.pid = message.pid;
      this.onStarted?.();
    } else if (message.kind === 'log') this.log(message.line);
    else this.sfuEnded(message.signal ?? `code ${message.code}`);
  }

  /**
   * LiveKit's logs may contain the participants' messages to each other, so the last part is reported only if it cannot start.
   */
  private log(line: string): void {
    const clean = this.options.secrets.reduce((text, secret) => text.replaceAll(secret, '***'), line);
    this.tail.push(clean);
    if (this.tail.length > TAIL_LINES) this.tail.shift();
  }

  private sfuEnded(reason: string): void {
    this.pid = null;
    if (this.state === 'starting' || this.state === 'restarting') {
      this.failStart?.(new Error(`The SFU ended while it started (${reason}). Its output:\n${this.tail.join('\n')}`));
    } else if (this.state === 'up') {
      this.options.onLog(`The SFU ended (${reason})`);
      if (this.options.restart) void this.restart();
    }
  }

  private async restart(): Promise<void> {
    this.state = 'restarting';
    this.restarts = performance.now() - this.startedMs > LASTING_MS ? 1 : this.restarts + 1;
    if (this.restarts > RESTARTS_MAX) {
      this.state = 'given-up';
      this.options.onLog('The SFU keeps ending and is not started again. Restart the platform.');
      return;
    }
    await sleep(RESTART_DELAY_MS * this.restarts, undefined, { ref: false });
    if (this.state !== 'restarting') return;
    try {
      await this.launch();
      if (this.state !== 'restarting') return;
      this.state = 'up';
      await this.options.onRestart();
      this.options.onLog('The SFU runs again');
    } catch (error) {
      this.options.onLog(error instanceof Error ? error.message : String(error));
      if (this.state === 'restarting') await this.restart();
    }
  }

  /** Ends the SFU, because without its guard nothing would end it later. */
  private guardEnded(): void {
    if (this.pid !== null) {
      try {
        process.kill(this.pid, 'SIGKILL');
      } catch {
        // It has already exited, with its guard.
      }
    }
    this.pid = null;
    this.failStart?.(new Error('The process that guards the SFU ended.'));
    if (this.state !== 'stopped') this.state = 'given-up';
  }
}
