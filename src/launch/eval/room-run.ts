import { setTimeout as pause } from 'node:timers/promises';
import { Client, generateWatchUrl } from '../../client/index.ts';
import { type JudgedRobot, startJudgedRobot } from '../../headless/eval/judged-robot.ts';
import { type AgentEnd, type PlannedRun, runName } from '../../headless/eval/run-record.ts';
import type { FinishedRun } from '../../headless/eval/watched-run.ts';
import type { Pictures } from '../../headless/pictures/pictures.ts';
import { readRobotKey } from '../../headless/robot-key.ts';
import { encodeRoomKey } from '../../protocol/room/room-key.ts';
import { simulatorIdentity } from '../../protocol/wire/identity.ts';
import type { Platform } from '../platform.ts';
import { type AgentProgram, type ProgramRecord, startAgent } from './agent-program.ts';
import { commandOf, prepareAgent } from './mcp-agent.ts';
import { runAfterAgent, SETTLES_MS } from './run-after-agent.ts';

export interface RoomRunDeps {
  platform: Pick<Platform, 'rcsUrl' | 'viewerUrl' | 'openAccount' | 'sfuPid'>;
  /** The renderer of the robot's cameras; null: it has none. */
  pictures: Pictures | null;
  /** The agent: a command of the shell, or `mcp:` and the command of an MCP client. */
  command: string;
  /** The time limit of the agent, on the clock. */
  agentMaxMs: number;
  /** The file of its output, relative to the folder of the results, and as a path of this process. */
  outputFile: string;
  outputPath: string;
  /** Aborted when the evaluation ends early. */
  ending: AbortSignal;
}

const AGENT_IDENTITY = 'agent';
const READY_MAX_MS = 120_000;
const LOOK_EVERY_MS = 25;
/** After the verdict, an agent may take this long to exit before it is ended. */
const ENDS_ITSELF_MS = 3_000;

/**
 * Makes one run. It has an account that no other run's agent can reach, a robot, its session and its simulator in this process.
 * The agent is a program with a key of that account and one for the room.
 * @throws Error if the run cannot be made; everything that it has started is ended
 */
export async function runInRoom(planned: PlannedRun, deps: RoomRunDeps): Promise<FinishedRun> {
  const { rcsUrl, viewerUrl } = deps.platform;
  const account = await deps.platform.openAccount(runName({ ...planned, task: planned.task.id }));
  try {
    const client = new Client({ rcsUrl, apiKey: account.apiKey, viewerUrl });
    return await runOfAccount(planned, { ...deps, client, apiKey: account.apiKey });
  } finally {
    // Its keys are revoked first. If the SFU is down, its remaining state ends with the platform.
    await account.close().catch(() => undefined);
  }
}

interface AccountRunDeps extends RoomRunDeps {
  client: Client;
  apiKey: string;
}

async function runOfAccount(planned: PlannedRun, deps: AccountRunDeps): Promise<FinishedRun> {
  const { client, command, outputFile, pictures, platform } = deps;
  const { robot } = await client.robots.create({ name: 'Robot of an evaluation', model: 'simplesim' });
  const { sfuPid } = platform;
  await client.robots.createSession(robot.id, { workerNames: [] });
  const key = readRobotKey(await roomKey(client, robot.id, simulatorIdentity(robot.id)), Date.now());
  const startedMs = performance.now();
  const judged = await startJudgedRobot(key, planned, pictures);
  try {
    await readyWithin(judged, READY_MAX_MS);
    // Agents that use images do not have to wait until the cameras are built.
    const place = judged.run()?.runtime.layout();
    if (place) await pictures?.ready(place);
    const program = await runAgent(planned, robot.id, judged, deps);
    const sfuStayed = platform.sfuPid === sfuPid;
    return runAfterAgent(planned, judged, {
      program,
      command: commandOf(command),
      outputFile,
      sfuStayed,
      wallS: (performance.now() - startedMs) / 1_000,
      endedEarly: deps.ending.aborted,
    });
  } finally {
    await judged.end();
  }
}

async function runAgent(planned: PlannedRun, robotId: string, judged: JudgedRobot, deps: AccountRunDeps): Promise<ProgramRecord> {
  const { command: agent, outputPath } = deps;
  const prepared = await prepareAgent(agent, await settingsOf(planned, robotId, deps), `${outputPath}.mcp.json`);
  try {
    return await untilDone(judged, startAgent(prepared.command, prepared.settings, outputPath), deps);
  } finally {
    await prepared.close();
  }
}

/** The environment of the agent. It does not contain the criteria of the judge. */
async function settingsOf({ task, wording }: PlannedRun, robotId: string, { client, apiKey, platform }: AccountRunDeps) {
  return {
    SIMPLESIM_TASK: task.instruction[wording],
    SIMPLESIM_ROOM_KEY: await roomKey(client, robotId, AGENT_IDENTITY),
    SIMPLESIM_ROBOT_ID: robotId,
    SIMPLESIM_LINK: await generateWatchUrl(client, robotId, { viewerBaseUrl: platform.viewerUrl }),
    // In the form that the client libraries read.
    PLATFORM_API_KEY: apiKey,
    PLATFORM_RCS_URL: platform.rcsUrl,
    PLATFORM_ROBOT_VIEWER_URL: platform.viewerUrl,
  };
}

async function roomKey(client: Client, robotId: string, participantIdentity: string): Promise<string> {
  const { livekit_url: sfuUrl, participant_token: token } = await client.robots.createParticipantToken(robotId, {
    participantIdentity,
  });
  return encodeRoomKey({ sfuUrl, token });
}

async function readyWithin({ ready }: JudgedRobot, maxMs: number): Promise<void> {
  const waiting = new AbortController();
  try {
    await Promise.race([
      ready,
      pause(maxMs, undefined, { signal: waiting.signal }).then(() => {
        throw new Error('The robot of this run did not get ready in time. The machine may have too much to do.');
      }),
    ]);
  } finally {
    waiting.abort();
  }
}

/** Waits for the verdict or the agent's end, and ends the agent with every process that it has started. */
async function untilDone(judged: JudgedRobot, agent: AgentProgram, { agentMaxMs, ending }: RoomRunDeps): Promise<ProgramRecord> {
  const isDecided = (): boolean => judged.run()?.decided() !== null || judged.left() !== null;
  let hasExited = false;
  void agent.exited.then(() => {
    hasExited = true;
  });
  let why: AgentEnd = 'told_to_end';
  const untilMs = performance.now() + agentMaxMs;
  while (!isDecided() && !hasExited && !ending.aborted && why === 'told_to_end') {
    if (performance.now() > untilMs) why = 'timed_out';
    else await pause(LOOK_EVERY_MS);
  }
  if (isDecided()) await Promise.race([agent.exited, pause(ENDS_ITSELF_MS)]);
  const record = await agent.end(why);
  for (let waitedMs = 0; waitedMs < SETTLES_MS && !isDecided() && !ending.aborted; waitedMs += LOOK_EVERY_MS)
    await pause(LOOK_EVERY_MS);
  return record;
}
