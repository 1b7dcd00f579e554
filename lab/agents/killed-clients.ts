import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { buildProgram } from '../../tests/control-service/helpers/build-program.ts';
import { type Generation, openRaw } from '../../tests/mcp/helpers/mcp-clients.ts';

const AGENTS_DIR = import.meta.dirname;
/** Without the compiler that optimizes the physics, a process starts in a fraction of the time. */
const FAST_START = '--liftoff-only';
/** A process under load needs this long to start, move its robot, or end. */
const PROCESS_MAX_MS = 60_000;

/** How a robot came to rest in a process of its own. */
export interface ProcessEnd {
  /** Steps from the moment at which the server heard of the end until the base moved last. */
  movedSteps: number;
  /** From the signal until the server heard of it. The machine decides this, not the product. */
  heardAfterMs: number;
  /** Whether the call had moved the robot. */
  wasMoving: boolean;
  exitCode: number | null;
}

/** Starts processes with a server on standard input and output, each for one call. */
export interface StdioProcesses {
  /** @param how the client is killed, or the server receives SIGTERM */
  end(how: 'killed' | 'ended', call: { tool: string; input: object }, seed: number, afterMs: number): Promise<ProcessEnd>;
  close(): Promise<void>;
}

/** Builds the program of the server. */
export async function openStdioProcesses(): Promise<StdioProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'simplesim-agents-'));
  // The program reads the version of its package.
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "version": "0.0.0-proof" }');
  const program = await buildProgram(join(AGENTS_DIR, 'stdio-process.ts'), join(folder, 'built'));
  return {
    async end(how, { tool, input }, seed, afterMs) {
      const clientInfo = { name: 'proof', version: '1' };
      const lines = [
        { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/call', params: { name: tool, arguments: input } },
      ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
      const child =
        how === 'killed'
          ? spawnWithReport([join(AGENTS_DIR, 'stdio-launcher.mjs'), FAST_START, program, `${seed}`, JSON.stringify(lines)])
          : spawnWithReport([FAST_START, program, `${seed}`]);
      if (how === 'ended') child.stdin?.write(`${lines.join('\n')}\n`);
      return endOf(child, how === 'killed' ? 'SIGKILL' : 'SIGTERM', afterMs);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

const spawnWithReport = (args: string[]): ChildProcess =>
  spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore', 'pipe'] });

const sharedMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;

async function endOf(child: ChildProcess, signal: NodeJS.Signals, afterMs: number): Promise<ProcessEnd> {
  const exit = once(child, 'exit');
  const lines = createInterface(child.stdio[3] as Readable);
  let end: { heardAtMs?: number; movedSteps: number } | null = null;
  let endedAtMs = 0;
  let wasMoving = false;
  const timer = setTimeout(() => child.kill('SIGKILL'), PROCESS_MAX_MS);
  for await (const line of lines) {
    const message = JSON.parse(line) as { moving?: boolean; heardAtMs?: number; movedSteps?: number };
    if (message.movedSteps !== undefined) end = { ...message, movedSteps: message.movedSteps };
    if (message.moving === undefined) continue;
    wasMoving = message.moving;
    await after(afterMs);
    endedAtMs = sharedMs();
    child.kill(signal);
  }
  clearTimeout(timer);
  const [exitCode] = (await exit) as [number | null];
  if (end?.heardAtMs === undefined) throw new Error('The process of the server ended without a report.');
  return { movedSteps: end.movedSteps, heardAfterMs: end.heardAtMs - endedAtMs, wasMoving, exitCode };
}

/** Returns a function that starts a client process with one call and returns a function that kills it. */
export async function openKilledCaller(
  generation: Generation,
  url: string,
): Promise<(call: { tool: string; input: object }) => Promise<() => Promise<void>>> {
  let isHeld = false;
  let held: (init: RequestInit) => void = () => undefined;
  const raw = await openRaw(generation, {
    url,
    name: 'proof',
    // The request is written here, and sent by the process.
    fetch: (to, init) => (isHeld ? new Promise<Response>(() => held(init ?? {})) : globalThis.fetch(to, init)),
  });
  isHeld = true;
  return async ({ tool, input }) => {
    const init = await new Promise<RequestInit>((resolve) => {
      held = resolve;
      void raw.call(tool, input);
    });
    const asked = JSON.stringify({ headers: init.headers, body: init.body });
    const child = spawn(process.execPath, [join(AGENTS_DIR, 'http-caller.mjs'), url, asked], { stdio: 'ignore' });
    const exit = once(child, 'exit');
    return async () => {
      child.kill('SIGKILL');
      await exit;
    };
  };
}
