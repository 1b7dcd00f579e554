import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent } from '../../agent-tools/agent.ts';
import { AGENT_CLOCK } from '../../agent-tools/agent-clock.ts';
import type { McpRoomArgs } from './mcp-args.ts';
import { keepRoom } from './room-connection.ts';
import { readRoomPlace } from './room-place.ts';
import { createRoomRobot } from './room-robot.ts';
import { serveStdioAgent } from './serve-stdio-agent.ts';

/** Clients give their name at once. One that does not is named by this word in the room. */
const NAMELESS = 'Agent';
const NAME_WITHIN_MS = 2_000;
/** The robot ends each action at its deadline, also without this process. */
const LEAVE_MAX_MS = 8_000;

/**
 * Serves the tools over the robot of a room, until the input ends. The actions of this client end before the room is left.
 * @throws UsageError for a link that cannot be used
 */
export function serveRoom({ link, isExam, isMotionAllowed }: McpRoomArgs): void {
  let clientName: string | null = null;
  let noteName = (_name: string): void => undefined;
  const named = new Promise<string>((resolve) => {
    noteName = resolve;
  });
  const name = Promise.race([named, sleep(NAME_WITHIN_MS, NAMELESS)]);
  const place = readRoomPlace(link, process.env, name);
  let watchLink: string | null = null;
  /** The room that the link to watch is for. */
  let watchedRoom: string | null = null;
  const room = keepRoom(async (callbacks, signal) => {
    const session = await place.join(callbacks, signal);
    if (place.watchLink && watchedRoom !== session.roomName) {
      watchedRoom = session.roomName;
      watchLink = await place.watchLink().catch(() => null);
    }
    return session;
  });
  const agent = createAgent({
    robot: createRoomRobot(room),
    place: {
      robotModel: null,
      watchUrl: null,
      get watchLink() {
        return watchLink;
      },
      instruction: process.env.SIMPLESIM_TASK || null,
      isExam,
      restart: null,
    },
    clock: AGENT_CLOCK,
    agentName: () => clientName ?? NAMELESS,
    newId: () => randomUUID(),
  });
  if (isMotionAllowed) agent.allowMotion();
  serveStdioAgent({
    agent,
    onClient(given) {
      clientName = given;
      noteName(given);
    },
    ends: [() => room.close()],
    leaveMaxMs: LEAVE_MAX_MS,
  });
}
