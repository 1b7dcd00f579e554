/** `npm run simplesim -- mcp`: a robot for an agent client, on standard input and output. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent } from '../agent-tools/agent.ts';
import { takeProcessLock } from '../control-service/process-lock.ts';
import { thrownCode, thrownText } from '../control-service/thrown.ts';
import { type AgentRobot, startAgentRobot } from '../headless/agent-robot.ts';
import { productVersion } from '../headless/product-version.ts';
import { serveOverStdio } from '../mcp/stdio.ts';
import { jsonLine, type LogEntry } from '../worker/log.ts';
import { EXIT } from './exit-codes.ts';
import { leaveOnce } from './leave-once.ts';
import { agentPictures } from './mcp/agent-pictures.ts';
import { openAgentWatch } from './mcp/agent-watch.ts';
import { readWorld } from './mcp/agent-worlds.ts';
import { MCP_USAGE, type McpArgs, readMcpArgs } from './mcp/mcp-args.ts';
import { serveRoom } from './mcp/serve-room.ts';
import { print, printError, printTrouble } from './output.ts';
import { UsageError } from './read-options.ts';

try {
  const args = readMcpArgs(process.argv.slice(2));
  if (args === null) print(MCP_USAGE);
  else if (args.room !== null) serveRoom(args.room);
  else await serve(args);
} catch (error) {
  printTrouble(error);
  process.exit(error instanceof UsageError ? EXIT.wrongUsage : EXIT.couldNotRun);
}

/** Standard output belongs to the protocol; people read standard error. */
function log(entry: LogEntry): void {
  if (entry.level !== 'info') printError(jsonLine(entry, Date.now()));
}

async function serve(args: McpArgs): Promise<void> {
  const world = await readWorld(args).catch(asUsage);
  if (args.keepDir !== null) takeKeptWorld(args.keepDir);
  const pictures = agentPictures();
  const watch = args.watchPort === null ? null : await openAgentWatch(args.watchPort, world);
  if (watch) printError(`Watch the robot at ${watch.url}`);
  const robot = startAgentRobot({
    world,
    pictures: pictures.body,
    worldsDir: args.keepDir,
    log,
    ...(watch ? { sendWorld: watch.sendWorld } : {}),
  });
  watch?.follow(robot);
  let clientName = 'Agent';
  const { access } = robot;
  const agent = createAgent({
    robot:
      pictures.missing === null ? access : { ...access, takePicture: () => Promise.reject(new Error(pictures.missing ?? '')) },
    place: {
      robotModel: args.modelId,
      get clock() {
        return robot.world.task?.time === 'on_action' ? ('action' as const) : ('real' as const);
      },
      watchUrl: watch?.url ?? null,
      get instruction() {
        return robot.world.task?.instruction.default ?? null;
      },
      isExam: args.isExam,
      restart: async ({ scene, seed, task }) => {
        const isOther = scene !== undefined || task !== undefined;
        const next = isOther
          ? await readWorld({ modelId: args.modelId, scene: scene ?? null, task: task ?? null, seed: seed ?? robot.world.seed })
          : { ...robot.world, seed: seed ?? robot.world.seed };
        watch?.enter(next);
        await robot.restart(next);
      },
    },
    clock: {
      nowMs: () => performance.now(),
      pause: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}).then(ignore, ignore),
    },
    agentName: () => clientName,
    newId: () => randomUUID(),
    ...(watch ? { onCall: watch.onCall } : {}),
  });

  const closeConnection = serveOverStdio(
    agent,
    {
      version: productVersion(),
      onClient: (name) => {
        clientName = name;
        watch?.meet(name);
      },
    },
    printError,
  );

  /** The robot stops before the process exits. */
  let leaving: Promise<void> | null = null;
  const leave = (good: number = EXIT.good): Promise<void> => {
    leaving ??= (async () => {
      let code = good;
      for (const end of [
        () => agent.end(),
        () => robot.end(),
        () => keepProof(robot, args.proofFile),
        () => watch?.close(),
        () => pictures.close(),
        closeConnection,
      ]) {
        try {
          await end();
        } catch (thrown) {
          // A proof that cannot be written must not leave the browser running.
          printTrouble(thrown);
          code = EXIT.couldNotRun;
        }
      }
      process.exit(code);
    })();
    return leaving;
  };
  leaveOnce(() => leave(), EXIT.couldNotRun);
  // Each reply waits for its own turn at the output.
  process.stdout.setMaxListeners(0);
  process.stdin.on('data', () => {
    if (leaving !== null || process.stdout.writableLength <= UNREAD_MAX_BYTES) return;
    printError(NOT_READ);
    void leave(EXIT.couldNotRun);
  });
  process.stdin.once('end', () => void leave());
  process.stdin.once('close', () => void leave());
}

/** Two processes with one folder would overwrite each other's world. @throws UsageError */
function takeKeptWorld(dir: string): void {
  try {
    const lock = takeProcessLock(join(dir, 'agent.lock'));
    if ('holderPid' in lock) throw new UsageError(`Process ${lock.holderPid} uses the folder of --keep. Name another folder.`);
    process.once('exit', lock.release);
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    throw new UsageError(
      `The folder of --keep cannot be written: ${thrownCode(thrown) ?? thrownText(thrown)}. Name another folder.`,
    );
  }
}

/** About 80 pictures. */
const UNREAD_MAX_BYTES = 16 * 1024 * 1024;
const NOT_READ = 'The client sends calls, but does not read the replies. The robot stops. Start the client again.';

const ignore = (): void => undefined;

function keepProof(robot: AgentRobot, file: string | null): void {
  if (file === null) return;
  const proved = robot.proof();
  if ('text' in proved) writeFileSync(file, proved.text);
  else printError(proved.missing);
}

function asUsage(thrown: unknown): never {
  throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
}
