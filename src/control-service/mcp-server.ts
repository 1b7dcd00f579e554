import { ActionBook } from '../agent-tools/action-book.ts';
import { type Agent, createAgent } from '../agent-tools/agent.ts';
import { AGENT_CLOCK } from '../agent-tools/agent-clock.ts';
import { refused } from '../agent-tools/tool-reply.ts';
import { createMcpHttp, type McpHttp } from '../mcp/http.ts';
import type { createMcpServer } from '../mcp/server.ts';
import type { KnownCaller } from './caller.ts';
import type { ServiceDeps } from './deps.ts';
import { robotAccess } from './mcp-access.ts';
import type { HeldAgent } from './mcp-agents.ts';
import type { RobotRow } from './operations/lookup.ts';
import { newId } from './secrets.ts';
import { ServiceError } from './service-error.ts';
import { serviceVersion } from './service-version.ts';

/** The sender of a request: the owner of an API key, and the robot that the address names. */
export interface McpClient {
  caller: KnownCaller;
  robot: RobotRow;
}

/** Of one key and robot, and of all. A session without an agent is small. */
const SESSIONS_OF_OWNER_MAX = 32;
const SESSIONS_MAX = 4_096;
const SESSION_IDLE_MS = 30 * 60_000;
/** More than any program repeats. */
const ACTIONS_KEPT_MAX = 256;
const NAME_MAX_LENGTH = 64;
const UNNAMED = 'Agent';

/**
 * Creates the server of the Model Context Protocol for the robots of the service.
 * @param createServer creates the server of one request or session
 */
export const createServiceMcp = (deps: ServiceDeps, createServer: typeof createMcpServer): McpHttp<McpClient> =>
  createMcpHttp<McpClient>({
    createServer(client, { sessionId, whenDelivered }) {
      // A program names itself in its messages, so its agent is looked up for each call.
      const held = () => heldAgent(deps, client, server.getClientVersion()?.name ?? UNNAMED, sessionId);
      const server = createServer(lookedUp(held), { version: serviceVersion(), isCancelKnown: false, whenDelivered });
      return server;
    },
    ownerOf: ({ caller, robot }) => `${caller.keyId} ${robot.id}`,
    onSessionEnd: (_client, sessionId) => void deps.memory.agents.endSession(sessionId),
    newSessionId: () => Buffer.from(deps.randomBytes(16)).toString('hex'),
    nowMs: () => deps.clock.monotonicMs(),
    limits: { ofOwnerMax: SESSIONS_OF_OWNER_MAX, max: SESSIONS_MAX, idleMs: SESSION_IDLE_MS },
  });

/** @throws as `McpAgents.agentOf` */
function heldAgent(deps: ServiceDeps, { caller, robot }: McpClient, givenName: string, sessionId: string | null): HeldAgent {
  const name = givenName.slice(0, NAME_MAX_LENGTH);
  const program = { accountId: caller.accountId, keyId: caller.keyId, robotId: robot.id, name, sessionId };
  return deps.memory.agents.agentOf(program, deps.clock.monotonicMs(), () =>
    createAgent(
      {
        robot: robotAccess(deps, caller, robot),
        place: { robotModel: robot.model, watchUrl: null, instruction: null, isExam: false, restart: null },
        clock: AGENT_CLOCK,
        agentName: () => name,
        newId: () => newId(deps.clock.nowMs(), deps.randomBytes),
      },
      new ActionBook(ACTIONS_KEPT_MAX),
    ),
  );
}

/** Returns an agent that is looked up with each call. If there is none, a call replies why. */
const lookedUp = (held: () => HeldAgent): Agent => ({
  async call(tool, input, options) {
    let found: HeldAgent;
    try {
      found = held();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { reply: refused(error.code, error.message), delivered: ignore };
    }
    found.openCalls += 1;
    try {
      return await found.agent.call(tool, input, options);
    } finally {
      found.openCalls -= 1;
    }
  },
  async question(tool) {
    try {
      return await held().agent.question(tool);
    } catch (error) {
      // The call itself replies why there is no agent.
      if (error instanceof ServiceError) return null;
      throw error;
    }
  },
  allowMotion: () => held().agent.allowMotion(),
  timeline: () => held().agent.timeline(),
  end: () => held().agent.end(),
});

const ignore = (): void => undefined;
