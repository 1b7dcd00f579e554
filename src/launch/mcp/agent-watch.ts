import type { OnCall } from '../../agent-tools/agent.ts';
import type { AgentRobot, AgentWorld } from '../../headless/agent-robot.ts';
import type { SeenWorld } from '../../protocol/service/agent-watch.ts';
import type { WorldPacket } from '../../protocol/world-stream/world-frame.ts';
import { DIST_DIR } from '../viewer-build.ts';
import { createCallBoard } from './call-board.ts';
import { openWatchServer } from './watch-server.ts';

/** The page on which people watch an agent's robot. It receives the agent's calls and the robot's world. */
export interface AgentWatch {
  /** The address of the page. */
  readonly url: string;
  onCall: OnCall;
  sendWorld(packets: readonly WorldPacket[]): void;
  /** The robot that sends its world while someone watches. */
  follow(robot: Pick<AgentRobot, 'watchers'>): void;
  /** Another world begins. */
  enter(world: AgentWorld): void;
  /** The client has introduced itself. */
  meet(name: string): void;
  close(): Promise<void>;
}

/** Opens the page. @param port 0 takes a free one @throws Error if the page is not built, or if the port is busy */
export async function openAgentWatch(port: number, first: AgentWorld): Promise<AgentWatch> {
  let robot: Pick<AgentRobot, 'watchers'> | null = null;
  let agent: { name: string | null } = { name: null };
  let world = seenWorld(first);
  const board = createCallBoard((call) => server.report({ name: 'call', data: call }), Date.now);
  const server = await openWatchServer({
    port,
    dir: DIST_DIR,
    greeting: () => [
      { name: 'agent', data: agent },
      ...board.calls.map((call) => ({ name: 'call' as const, data: call })),
      { name: 'world', data: world },
    ],
    onWatchers: (update) => robot?.watchers(update),
  });
  return {
    url: server.url,
    onCall: board.note,
    sendWorld: server.sendWorld,
    follow(next) {
      robot = next;
    },
    enter(next) {
      world = seenWorld(next);
      server.report({ name: 'world', data: world });
    },
    meet(name) {
      if (name === agent.name) return;
      agent = { name };
      server.report({ name: 'agent', data: agent });
    },
    close: server.close,
  };
}

const seenWorld = ({ task, sceneFile }: AgentWorld): SeenWorld => ({
  startedAtMs: Date.now(),
  instruction: task?.instruction.default ?? null,
  sceneFile,
});
