import { randomUUID } from 'node:crypto';
import type { RobotEnd } from '../protocol/room/robot-end.ts';
import { heldByAnother } from '../protocol/texts/headless-texts.ts';
import type { RobotId } from '../protocol/wire/robot.ts';
import type { Runtime, RuntimeDeps } from '../runtime/runtime.ts';
import type { Scenes } from '../simulation/scene.ts';
import type { Log } from '../worker/log.ts';
import { type LiveRobot, startLiveRobot } from '../worker/robot/live-robot.ts';
import { followLink } from './follow-link.ts';
import { createHolderClient } from './holder-client.ts';
import type { Pictures } from './pictures/pictures.ts';
import { productVersion } from './product-version.ts';
import type { KeyOfRobot } from './robot-key.ts';

/** How a simulator without a page is started in its room. */
export interface InRoomOptions {
  key: KeyOfRobot;
  modelId: RobotId;
  /**
   * Returns the newest link to the same place, for a platform that hands out new ones. A token that the SFU refuses is then not the end:
   * the next link may be valid. @default none
   */
  newestLink?: (() => string | null) | null;
  /** The scenes that it can be in. @default the built-in ones */
  scenes?: Scenes | undefined;
  /** Null: the one that the session asks for, or the start scene. */
  sceneId: string | null;
  /** Seed of its first world. */
  seed: number;
  /** The folder in which its world and a latched emergency stop are kept over restarts; null: nowhere. */
  worldsDir: string | null;
  /** Whether it starts from scratch, whatever world is stored. */
  isFresh: boolean;
  /** Whether it takes the place of one that is the robot now. */
  takesOver: boolean;
  /** Makes the runtime from what the body gives it. @default the plain one */
  makeRuntime?: (deps: RuntimeDeps) => Runtime;
  /** The drawing of its cameras; the caller closes it. @default nothing: it has no cameras */
  pictures?: Pictures | null;
  log: Log;
}

/** A robot that goes by the simulator's rules, in a room. */
export interface RobotInRoom {
  readonly robotId: string;
  /** Settles when it has left, with the reason. */
  readonly over: Promise<RobotEnd>;
  /** Stops the robot, keeps its world and leaves. */
  end(): Promise<void>;
}

/**
 * Starts the simulator's robot of a key in this process: it joins the room under the identity of the tab, and keeps the tab's contract.
 * @throws Error when the platform names another robot, and a take-over is not requested
 */
export async function startInRoom({
  key,
  takesOver,
  worldsDir,
  log,
  makeRuntime,
  pictures = null,
  newestLink = null,
  scenes,
  sceneId,
  ...world
}: InRoomOptions): Promise<RobotInRoom> {
  const holderClient = createHolderClient(randomUUID());
  const holderReply = await holderClient.ask(key);
  if (holderReply?.holder && !holderReply.holder.is_dead && !takesOver)
    throw new Error(heldByAnother(holderReply.holder.page, holderReply.holder.for_ms));
  const place = { ...key.place, ...(holderReply ? { token: holderReply.token } : {}) };
  const { robotId } = place;
  const robot: LiveRobot = startLiveRobot(
    {
      place,
      profile: 'simulator',
      productVersion: productVersion(),
      signedOnly: false,
      worldsDir,
      renewsKeys: newestLink !== null,
      ...world,
      ...(sceneId === null ? {} : { sceneId }),
    },
    {
      freshKey: newestLink === null ? async () => null : followLink(key, newestLink, holderClient.ask),
      ...(makeRuntime ? { makeRuntime } : {}),
      scenes,
      pictures,
      log: (entry) => log({ ...entry, robot_id: robotId }),
    },
  );
  const over = robot.over.then(async (end) => {
    await holderClient.reportLeft();
    return end;
  });
  return {
    robotId,
    over,
    async end() {
      await robot.end('ended');
      await over;
    },
  };
}
