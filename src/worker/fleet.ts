import { type RobotEnd, robotEndText } from '../protocol/room/robot-end.ts';
import type { Log } from './log.ts';
import { type RobotLink, startRobot } from './robot-link.ts';
import type { FreshKey, Place } from './robot-messages.ts';

/** The common settings of a worker's robots. */
export interface FleetSettings {
  /** Seed of the first world of every robot. */
  seed: number;
  signedOnly: boolean;
  productVersion: string;
  /** The folder in which their worlds are saved across restarts; null: they are not saved. */
  worldsDir: string | null;
  /** The maximum number of robots at a time. */
  maxRobots: number;
}

export interface FleetDeps {
  settings: FleetSettings;
  /** A newer key for a place, or null while there is none. */
  freshKey(place: Place): Promise<FreshKey | null>;
  /** Whether newer keys will come. If so, a robot whose token is rejected on a rejoin keeps trying. */
  renewsKeys: boolean;
  /** The number of robots has changed. */
  onCount(count: number): void;
  log: Log;
}

/** Callbacks that report a robot's progress. */
export interface ServeHooks {
  onJoined?(): void;
  onOver(end: RobotEnd): void;
}

/** The robots that this worker serves, each in its own process. */
export interface Fleet {
  /**
   * Takes a robot's place. A robot that is served in another room moves to this one. Does nothing if it is already served in this
   * room, or the fleet is ending.
   */
  serve(place: Place, hooks: ServeHooks): void;
  /** Returns whether this robot is served in this room, or is about to be. */
  serves(room: string, robotId: string): boolean;
  nudge(robotId: string): void;
  /** Ends one robot. */
  release(robotId: string): void;
  count(): number;
  /** @param promised number of promised places, in addition to those in use */
  isFull(promised: number): boolean;
  /** Ends all of them, and accepts no more. */
  end(): Promise<void>;
}

interface Served {
  place: Place;
  link: RobotLink;
}

const QUIET_ENDS: readonly RobotEnd[] = ['session_deleted', 'ended'];

export function createFleet(deps: FleetDeps): Fleet {
  const { settings, log } = deps;
  const served = new Map<string, Served>();
  let ending = false;

  async function serve(place: Place, hooks: ServeHooks): Promise<void> {
    const before = served.get(place.robotId);
    if (ending || before?.place.room === place.room) return;
    const { seed, signedOnly, productVersion, worldsDir } = settings;
    const link = startRobot(
      { place, seed, productVersion, signedOnly, worldsDir, renewsKeys: deps.renewsKeys },
      { onJoined: () => hooks.onJoined?.(), freshKey: () => deps.freshKey(place), log },
    );
    log({ level: 'info', event: 'robot_starts', robot_id: place.robotId, room: place.room, seed, pid: link.pid });
    served.set(place.robotId, { place, link });
    deps.onCount(served.size);
    if (before) void before.link.end();
    const end = await link.over;
    if (served.get(place.robotId)?.link === link) served.delete(place.robotId);
    log({
      level: QUIET_ENDS.includes(end) ? 'info' : 'warn',
      event: 'robot_over',
      robot_id: place.robotId,
      room: place.room,
      why: end,
      message: robotEndText(end, 'worker'),
    });
    hooks.onOver(end);
    deps.onCount(served.size);
  }

  return {
    serve: (place, hooks) => void serve(place, hooks),
    serves: (room, robotId) => served.get(robotId)?.place.room === room,
    nudge: (robotId) => served.get(robotId)?.link.nudge(),
    release: (robotId) => void served.get(robotId)?.link.end(),
    count: () => served.size,
    isFull: (promised) => served.size + promised >= settings.maxRobots,
    async end() {
      ending = true;
      await Promise.all([...served.values()].map(({ link }) => link.end()));
    },
  };
}
