import { setTimeout as after } from 'node:timers/promises';
import { connectClient, type Generation } from '../../tests/mcp/helpers/mcp-clients.ts';
import { openHttpClient } from './http-client.ts';
import { openHttpPlace } from './http-place.ts';
import { openKilledCaller } from './killed-clients.ts';
import { openStdioPair } from './stdio-pair.ts';
import { agentOver, type SteppedRobot } from './stepped-robot.ts';

/** The transports and the ends of a call of the matrix. */
export const TRANSPORTS = ['stdio', '2026-07-28', '2025-11-25'] as const;
export const CAUSES = ['cancel', 'broken', 'killed', 'ended', 'silent'] as const;
export type Transport = (typeof TRANSPORTS)[number];
export type Cause = (typeof CAUSES)[number];

/** A call of a tool that moves the robot. */
export interface MovingCall {
  tool: string;
  input: Record<string, unknown>;
}

/** A client with a call under way. */
export interface StartedCall {
  /** Brings the end about. */
  act(): void | Promise<void>;
  /** Frees what the client and its call use; the robot is at rest. */
  clear(): Promise<void>;
  /** The breaches that the watcher of messages found. */
  problems(): readonly string[];
}

/** Starts calls whose ends are brought about in one way, over one transport, at one robot. */
export interface StopCell {
  start(call: MovingCall): Promise<StartedCall>;
  close(): Promise<void>;
}

/** Opens a cell of the matrix that needs no server process. */
export async function openCell(transport: Transport, cause: Cause, robot: SteppedRobot): Promise<StopCell> {
  if (transport === 'stdio') return stdioCell(cause, robot);
  if (cause === 'ended') return endedCell(transport, robot);
  const place = await openHttpPlace(() => agentOver(robot));
  const url = `${place.url}/robot`;
  const close = (): Promise<void> => place.end();
  if (cause === 'cancel') return { ...(await cancelCell(transport, url)), close };
  if (cause === 'killed') return { ...(await killedCell(transport, url)), close };
  const client = await openHttpClient(transport, url);
  return {
    close,
    async start({ tool, input }) {
      const breaking = new AbortController();
      const calling = client.raw.call(tool, input, { progressToken: `t${robot.steps}`, signal: breaking.signal });
      calling.catch(() => undefined);
      return {
        act() {
          if (cause === 'broken') breaking.abort();
        },
        async clear() {
          breaking.abort();
          await calling.then((call) => call.break()).catch(() => undefined);
        },
        problems: () => client.watch.problems,
      };
    },
  };
}

function stdioCell(cause: Cause, robot: SteppedRobot): StopCell {
  return {
    close: async () => undefined,
    async start({ tool, input }) {
      const pair = openStdioPair(agentOver(robot));
      await pair.open();
      const { id } = pair.use(tool, input, `t${robot.steps}`);
      return {
        act() {
          if (cause === 'cancel') pair.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
          if (cause === 'broken') pair.endInput();
        },
        clear: () => pair.close(),
        problems: () => pair.watch.problems,
      };
    },
  };
}

/** The client of the SDK cancels as clients do: by the end of the response, or by a message in the session. */
async function cancelCell(generation: Generation, url: string): Promise<Pick<StopCell, 'start'>> {
  const client = await connectClient(generation, { url, name: 'proof' });
  return {
    async start({ tool, input }) {
      const giveUp = new AbortController();
      const calling = client.callTool({ name: tool, arguments: input }, { signal: giveUp.signal }).catch(() => undefined);
      return {
        act: () => giveUp.abort('enough'),
        async clear() {
          await calling;
        },
        problems: () => [],
      };
    },
  };
}

async function killedCell(generation: Generation, url: string): Promise<Pick<StopCell, 'start'>> {
  const call = await openKilledCaller(generation, url);
  return {
    async start(moving) {
      const kill = await call(moving);
      return { act: () => kill(), clear: async () => undefined, problems: () => [] };
    },
  };
}

/** Each round has its own server. */
function endedCell(generation: Generation, robot: SteppedRobot): StopCell {
  return {
    close: async () => undefined,
    async start({ tool, input }) {
      const place = await openHttpPlace(() => agentOver(robot));
      const client = await openHttpClient(generation, `${place.url}/robot`);
      const calling = client.raw
        .call(tool, input)
        .then((call) => client.read(call))
        .catch(() => null);
      let ending: Promise<void> | null = null;
      return {
        act() {
          ending = place.end();
        },
        async clear() {
          await robot.until(() => false, 1);
          await Promise.race([Promise.all([ending, calling]), after(CLEAR_MAX_MS)]);
        },
        problems: () => client.watch.problems,
      };
    },
  };
}

const CLEAR_MAX_MS = 2_000;
