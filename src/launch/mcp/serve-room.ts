import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent } from '../../agent-tools/agent.ts';
import { productVersion } from '../../headless/product-version.ts';
import { serveOverStdio } from '../../mcp/stdio.ts';
import { EXIT } from '../exit-codes.ts';
import { leaveOnce } from '../leave-once.ts';
import { printError } from '../output.ts';
import type { McpRoomArgs } from './mcp-args.ts';
import { keepRoom } from './room-connection.ts';
import { readRoomPlace } from './room-place.ts';
import { createRoomRobot } from './room-robot.ts';

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
  let watchUrl: string | null = null;
  /** The room that the link to watch is for. */
  let watchedRoom: string | null = null;
  const room = keepRoom(async (callbacks, signal) => {
    const session = await place.join(callbacks, signal);
    if (place.watchLink && watchedRoom !== session.roomName) {
      watchedRoom = session.roomName;
      watchUrl = await place.watchLink().catch(() => null);
    }
    return session;
  });
  const agent = createAgent({
    robot: createRoomRobot(room),
    place: {
      robotModel: null,
      clock: 'real',
      get watchUrl() {
        return watchUrl;
      },
      instruction: process.env.SIMPLESIM_TASK || null,
      isExam,
      restart: null,
    },
    clock: {
      nowMs: () => performance.now(),
      pause: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}).then(ignore, ignore),
    },
    agentName: () => clientName ?? NAMELESS,
    newId: () => randomUUID(),
  });
  if (isMotionAllowed) agent.allowMotion();
  const options = {
    version: productVersion(),
    onClient: (given: string) => {
      clientName = given;
      noteName(given);
    },
  };
  const closeConnection = serveOverStdio(agent, options, printError);

  let leaving: Promise<void> | null = null;
  const leave = (): Promise<void> => {
    leaving ??= (async () => {
      setTimeout(() => process.exit(EXIT.couldNotRun), LEAVE_MAX_MS);
      await agent.end();
      await room.close();
      await closeConnection();
      process.exit(EXIT.good);
    })();
    return leaving;
  };
  leaveOnce(leave, EXIT.couldNotRun);
  process.stdin.once('end', () => void leave());
  process.stdin.once('close', () => void leave());
}

const ignore = (): void => undefined;
