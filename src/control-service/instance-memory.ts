import type { EmergencyStopResult } from '../protocol/wire/emergency-stop.ts';
import { AccountShares } from './account-shares.ts';
import { McpAgents } from './mcp-agents.ts';
import type { RobotCommands } from './operations/command-order.ts';
import { RoomLooks } from './operations/room-looks.ts';
import type { SignedLine } from './operations/signed-line.ts';
import { StopPlaces } from './operations/stop-places.ts';
import { Together } from './operations/together.ts';
import type { UnstoredStop } from './operations/unstored-stop.ts';
import { RecentIds } from './recent-ids.ts';
import { RecentRights } from './recent-rights.ts';
import { TaskQueuesByKey } from './task-queue.ts';

/** The shortest interval at which a robot is informed of presses. The first press never waits. */
const PRESS_EVERY_MS = 250;

/** How many revoked links an instance remembers; the oldest are forgotten. */
const REVOKED_LINKS_REMEMBERED = 10_000;

/**
 * The state that one instance of the service keeps outside the database: which work is under way, and in which order. Every part
 * of the instance shares it: requests, timers and the launcher. Otherwise "one at a time" would apply to each of them separately.
 * The state may be lost at any moment, and other instances do not see it.
 */
export interface InstanceMemory {
  /** Requests under way, by account. */
  readonly shares: AccountShares;
  /** The rights on which an emergency stop relies while the database is unavailable. */
  readonly rights: RecentRights;
  /** Presses of the emergency stop, by robot. */
  readonly presses: Together<EmergencyStopResult | null>;
  /** The latest press of each robot that is not in the database yet. */
  readonly unstored: Map<string, UnstoredStop>;
  /** By robot: presses are stored one after the other, so that an older press never overwrites a newer one. */
  readonly stopQueues: TaskQueuesByKey;
  /** Presses by links, by room. */
  readonly linkPresses: Together<EmergencyStopResult | null>;
  /**
   * By room: metadata is written and agents are dispatched one at a time, so that an older state never overwrites a newer one.
   */
  readonly roomQueues: TaskQueuesByKey;
  /** Orders of owners, by robot: each is answered before the next one is written. */
  readonly orderQueues: TaskQueuesByKey;
  /**
   * Claims, by account, one at a time. So the same correct PIN, sent many times, is not rejected because of attempts that are
   * still being checked. No account takes all the slots of the slow hash.
   */
  readonly claimQueues: TaskQueuesByKey;
  /** Ids of revoked links, as far as this instance knows them; for presses, which do not wait for the database. */
  readonly revokedLinks: RecentIds;
  /** Commands under way, by robot. */
  readonly commands: Map<string, RobotCommands>;
  /** Stops that wait for their robots. */
  readonly stopPlaces: StopPlaces;
  /** The service's own signed calls, by room; the most recently used is at the end. */
  readonly signedLines: Map<string, SignedLine>;
  /** Lookups of rooms, for clients that watch over robots. */
  readonly looks: RoomLooks;
  /** By room: when the room was last informed that a watcher is about to join. The most recent room is at the end. */
  readonly announcedAtMs: Map<string, number>;
  /** The robots for which repeated work failed last time, by the work; null stands for work that does not belong to one robot. */
  readonly failing: Map<string, Set<string | null>>;
  /** The agents of clients of the Model Context Protocol. */
  readonly agents: McpAgents;
}

/** Returns the memory of an instance that has done nothing yet. */
export const newMemory = (): InstanceMemory => ({
  shares: new AccountShares(),
  rights: new RecentRights(),
  presses: new Together(PRESS_EVERY_MS),
  unstored: new Map(),
  stopQueues: new TaskQueuesByKey(),
  linkPresses: new Together(PRESS_EVERY_MS),
  roomQueues: new TaskQueuesByKey(),
  orderQueues: new TaskQueuesByKey(),
  claimQueues: new TaskQueuesByKey(),
  revokedLinks: new RecentIds(REVOKED_LINKS_REMEMBERED),
  commands: new Map(),
  stopPlaces: new StopPlaces(),
  signedLines: new Map(),
  looks: new RoomLooks(),
  announcedAtMs: new Map(),
  failing: new Map(),
  agents: new McpAgents(),
});
