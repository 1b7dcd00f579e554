/** `npm run simplesim -- mcp`: a robot for an agent client, on standard input and output. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgent } from '../agent-tools/agent.ts';
import { AGENT_CLOCK } from '../agent-tools/agent-clock.ts';
import { takeProcessLock } from '../control-service/process-lock.ts';
import { thrownCode, thrownText } from '../control-service/thrown.ts';
import { type AgentRobot, startAgentRobot } from '../headless/agent-robot.ts';
import { jsonLine, type LogEntry } from '../worker/log.ts';
import { EXIT } from './exit-codes.ts';
import { agentPictures } from './mcp/agent-pictures.ts';
import { openAgentWatch } from './mcp/agent-watch.ts';
import { readWorld } from './mcp/agent-worlds.ts';
import { MCP_USAGE, type McpArgs, readMcpArgs } from './mcp/mcp-args.ts';
import { serveRoom } from './mcp/serve-room.ts';
import { serveStdioAgent } from './mcp/serve-stdio-agent.ts';
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
      watchUrl: watch?.url ?? null,
      get seed() {
        // A kept world has its own seed.
        return robot.world.task === null ? undefined : robot.world.seed;
      },
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
    clock: AGENT_CLOCK,
    agentName: () => clientName,
    newId: () => randomUUID(),
    ...(watch ? { onCall: watch.onCall } : {}),
  });

  serveStdioAgent({
    agent,
    onClient(name) {
      clientName = name;
      watch?.meet(name);
    },
    ends: [() => robot.end(), () => keepProof(robot, args.proofFile), () => watch?.close(), () => pictures.close()],
  });
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

function keepProof(robot: AgentRobot, file: string | null): void {
  if (file === null) return;
  const proved = robot.proof();
  if ('missing' in proved) {
    printError(proved.missing);
    return;
  }
  try {
    writeFileSync(file, proved.text);
  } catch (thrown) {
    // The general text about a full disk promises that nothing is lost; here the proof is.
    throw new Error(`The proof was not written to ${file}: ${thrownCode(thrown) ?? thrownText(thrown)}. It is lost.`);
  }
}

function asUsage(thrown: unknown): never {
  throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
}
