/** A browser as a process, spoken to over two pipes in its DevTools protocol: no port is open, and it ends with this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { BROWSER_ARGS } from './find-browser.ts';

/** Events that the DevTools protocol sends unasked. Source: https://chromedevtools.github.io/devtools-protocol */
export interface BrowserEvent {
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: events of every domain; each reader knows its own.
  params: any;
}

/** A browser that runs. */
export interface BrowserProcess {
  readonly pid: number;
  /** Settles with a sentence's part once the process has ended. */
  readonly over: Promise<string>;
  /**
   * Sends a command of the protocol.
   * @param sessionId of a page; null for the browser itself
   * @throws Error with the browser's reason, or when it ends before it has answered
   */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every domain.
  send(method: string, params?: object, sessionId?: string | null): Promise<any>;
  onEvent(listen: (event: BrowserEvent) => void): void;
  /** Ends the browser with all that belongs to it, also one that hangs. */
  kill(): void;
}

const FOLDER = 'simplesim-browser-';
/** Those of `BROWSER_ARGS`, and flags that keep a hidden browser as active as a visible one. */
const ARGS = [
  ...BROWSER_ARGS,
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--force-color-profile=srgb',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  'about:blank',
];
/** The file descriptors on which a browser reads and writes the protocol. */
const [COMMANDS_FD, ANSWERS_FD] = [3, 4];
const END_OF_MESSAGE = 0;

/** Starts a browser. @param file its program */
export function startBrowserProcess(file: string): BrowserProcess {
  sweepFolders();
  const profileDir = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  const child = spawn(file, [...ARGS.slice(0, -1), `--user-data-dir=${profileDir}`, ...ARGS.slice(-1)], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    // A group of its own: a Ctrl-C in the terminal is for the robots, which stop first.
    detached: process.platform !== 'win32',
  });
  const commands = child.stdio[COMMANDS_FD] as Writable;
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  const listeners: ((event: BrowserEvent) => void)[] = [];
  let asked = 0;
  let ended: string | null = null;
  let noteOver: (why: string) => void = () => undefined;
  const over = new Promise<string>((resolve) => {
    noteOver = resolve;
  });
  const killAtExit = (): void => killGroup(child);
  process.on('exit', killAtExit);

  function end(why: string): void {
    if (ended !== null) return;
    ended = why;
    process.off('exit', killAtExit);
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5 });
    noteOver(why);
  }
  child.on('error', ({ message }) => end(`the browser cannot be started: ${message}`));
  child.on('exit', (code, signal) => {
    // Processes that the browser had started end a moment later, or not at all.
    killGroup(child);
    end(`the browser ended (${signal ?? `code ${code}`})`);
  });
  // A pipe breaks when its browser ends, which is reported above.
  commands.on('error', () => undefined);
  const answers = child.stdio[ANSWERS_FD] as Readable;
  answers.on('error', () => undefined);
  readMessages(answers, (message) => {
    if (typeof message.id !== 'number') {
      for (const listen of listeners) listen(message as unknown as BrowserEvent);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) call?.reject(new Error(message.error.message));
    else call?.resolve(message.result);
  });

  return {
    pid: child.pid ?? 0,
    over,
    send(method, params = {}, sessionId = null) {
      if (ended !== null) return Promise.reject(new Error(ended));
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        commands.write(`${JSON.stringify({ id, method, params, ...(sessionId === null ? {} : { sessionId }) })}\0`);
      });
    },
    onEvent(listen) {
      listeners.push(listen);
    },
    kill: () => killGroup(child),
  };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

interface Message {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

/** Messages are JSON, each with a zero byte behind it. */
function readMessages(from: Readable, take: (message: Message) => void): void {
  let parts: Buffer[] = [];
  from.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let at = rest.indexOf(END_OF_MESSAGE); at >= 0; at = rest.indexOf(END_OF_MESSAGE)) {
      const text = Buffer.concat([...parts, rest.subarray(0, at)]).toString('utf8');
      parts = [];
      rest = rest.subarray(at + 1);
      take(JSON.parse(text) as Message);
    }
    if (rest.length > 0) parts.push(rest);
  });
}

/** Removes the folders of processes that were killed and could not. */
function sweepFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${FOLDER}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
