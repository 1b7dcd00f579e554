import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { programBeside } from '../../control-service/program-beside.ts';
import { errorLine, outputTail } from '../../headless/eval/output-tail.ts';
import type { AgentEnd, AgentRecord } from '../../headless/eval/run-record.ts';
import { atMost } from '../../worker/robot/wait.ts';
import type { FromAgentGuard, ToAgentGuard } from './agent-guard.ts';
import { openAgentOutput, secretsIn } from './agent-output.ts';

/** The result of the program's own process. */
export type ProgramRecord = Omit<AgentRecord, 'ended_robot'>;

/** A running program of an agent. */
export interface AgentProgram {
  /** Settles when the program's own process has ended, or could not be started. */
  readonly exited: Promise<void>;
  /** Ends the program and every process that it has started. @returns how it ended */
  end(why: AgentEnd): Promise<ProgramRecord>;
}

/** The environment variable that identifies every process of the program. */
const MARKER = 'SIMPLESIM_RUN';
/** The exit codes by which shells report that a command does not exist or cannot be executed. */
const NO_COMMAND = new Set([126, 127]);
/** The guard ends every process within this time. */
const END_MAX_MS = 12_000;
/** A process that has escaped the guard may hold the output open; it is not waited for beyond this time. */
const LAST_WORDS_MAX_MS = 2_000;

/** Settings of this process that an agent must not see: those of its run replace the last three. */
const WITHHELD = [
  ...['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET', 'DATABASE_URL', 'RCW_ROOM_KEY', 'NODE_CHANNEL_FD'],
  ...['PLATFORM_API_KEY', 'SIMPLESIM_ROOM_KEY', 'SIMPLESIM_LINK'],
];

/**
 * Starts an agent's program.
 * @param command of the shell
 * @param settings added to the environment of this process
 * @param outputFile the file for its output, without secrets
 */
export function startAgent(command: string, settings: Readonly<Record<string, string>>, outputFile: string): AgentProgram {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !WITHHELD.includes(entry[0]),
  );
  const run = randomUUID();
  const env = { ...Object.fromEntries(inherited), ...settings, [MARKER]: run };
  const output = openAgentOutput(outputFile, secretsIn(env));
  const { file, execArgv } = programBeside(import.meta.url, 'agent-guard');
  const guard: ChildProcess = fork(file, {
    execArgv,
    // A separate process group: Ctrl-C in the terminal reaches only the evaluation, which then ends in order.
    detached: true,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  guard.stdout?.on('data', (chunk: Buffer) => output.take('stdout', chunk));
  guard.stderr?.on('data', (chunk: Buffer) => output.take('stderr', chunk));
  // The output may arrive after the `over` message.
  const lastText = new Promise<void>((resolve) => void guard.once('close', () => resolve()));
  let ended: { code: number | null; signal: string | null } | null = null;
  // Until the program has started.
  let isMissing = true;
  let leftBehind = 0;
  let isAsked = false;
  let noteExit = (): void => undefined;
  let noteOver = (): void => undefined;
  const exited = new Promise<void>((resolve) => {
    noteExit = resolve;
  });
  const over = new Promise<void>((resolve) => {
    noteOver = resolve;
  });
  guard.on('message', (message: FromAgentGuard) => {
    switch (message.kind) {
      case 'started':
        isMissing = false;
        break;
      case 'not_started':
        noteExit();
        break;
      case 'exited':
        ended = { code: message.code, signal: message.signal };
        isMissing ||= !isAsked && message.code !== null && NO_COMMAND.has(message.code);
        noteExit();
        break;
      case 'over':
        ({ leftBehind } = message);
        noteOver();
        break;
    }
  });
  for (const event of ['exit', 'error'] as const)
    guard.on(event, () => {
      noteExit();
      noteOver();
    });
  const post = (message: ToAgentGuard): void => {
    if (guard.connected) guard.send(message, () => undefined);
  };
  post({ kind: 'start', command, cwd: process.cwd(), env, marker: `${MARKER}=${run}` });

  return {
    exited,
    async end(why) {
      const endedBefore = ended !== null;
      isAsked = true;
      post({ kind: 'end' });
      const killing = setTimeout(() => guard.kill('SIGKILL'), END_MAX_MS);
      await over;
      clearTimeout(killing);
      await atMost(lastText, LAST_WORDS_MAX_MS);
      // Not earlier: after `unref`, Node does not report that a child's output is closed.
      if (guard.connected) guard.disconnect();
      const dropped = await output.close();
      return {
        end: isMissing ? 'not_started' : endedBefore ? 'exited' : why,
        error_line: endedBefore && ended?.code !== 0 ? errorLine(await outputTail(outputFile)) : null,
        exit_code: ended?.code ?? null,
        signal: ended?.signal ?? null,
        left_behind: leftBehind,
        output_dropped: dropped,
      };
    },
  };
}
