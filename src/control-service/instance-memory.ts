import type { EmergencyStopResult } from '../protocol/emergency-stop.ts';
import { AccountShares } from './account-shares.ts';
import type { RobotCommands } from './operations/command-order.ts';
import { RoomLooks } from './operations/room-looks.ts';
import type { SignedLine } from './operations/signed-line.ts';
import { StopPlaces } from './operations/stop-places.ts';
import { Together } from './operations/together.ts';
import type { UnstoredStop } from './operations/unstored-stop.ts';
import { RecentIds } from './recent-ids.ts';
import { RecentRights } from './recent-rights.ts';
import { TurnsByKey } from './turns.ts';

/** A robot is told of presses this often at most. The first press never waits. */
const PRESS_EVERY_MS = 250;

/** Revoked links that an instance remembers; the oldest are forgotten. */
const REVOKED_LINKS_REMEMBERED = 10_000;

/**
 * All that one instance of the service keeps in mind beside the database: who is under way, and in which order. Whatever acts in
 * the instance's name shares it, be it a request, a timer or the launcher; otherwise "one at a time" would be one for each of
 * them. It may be lost at any moment, and other instances do not see it.
 */
export interface InstanceMemory {
  /** Requests under way, by account. */
  readonly shares: AccountShares;
  /** The rights that an emergency stop relies on while the database is away. */
  readonly rights: RecentRights;
  /** Presses of the emergency stop, by robot. */
  readonly presses: Together<EmergencyStopResult | null>;
  /** The latest press of each robot that is not in the database yet. */
  readonly unstored: Map<string, UnstoredStop>;
  /** By robot: presses are stored one after the other, so that an older one never lands on a newer one. */
  readonly stopLines: TurnsByKey;
  /** Presses by links, by room. */
  readonly linkPresses: Together<EmergencyStopResult | null>;
  /** By room: its metadata is written, and agents are sent into it, one at a time, so that nothing older lands on something newer. */
  readonly roomLines: TurnsByKey;
  /** Orders of owners, by robot: each is answered before the next one is written. */
  readonly orderLines: TurnsByKey;
  /**
   * Claims, by account: one at a time, so that the same right PIN sent many times is not refused because of tries that are still
   * being checked, and nobody takes all the turns at the slow hash.
   */
  readonly claimLines: TurnsByKey;
  /** Ids of revoked links, as far as this instance has heard of them; for presses, which wait for no database. */
  readonly revokedLinks: RecentIds;
  /** Commands under way, by robot. */
  readonly commands: Map<string, RobotCommands>;
  /** Stops that wait for their robots. */
  readonly stopPlaces: StopPlaces;
  /** The service's own signed calls, by room; the line used last is at the end. */
  readonly signedLines: Map<string, SignedLine>;
  /** Looks into rooms, for whoever watches over robots. */
  readonly looks: RoomLooks;
  /** By room: when it was told last that a watcher is about to come. The room told last is at the end. */
  readonly announcedAtMs: Map<string, number>;
  /** The robots for which repeated work failed last time, by the work; null is for work that is not one robot's. */
  readonly failing: Map<string, Set<string | null>>;
}

/** Returns the memory of an instance that has done nothing yet. */
export const newMemory = (): InstanceMemory => ({
  shares: new AccountShares(),
  rights: new RecentRights(),
  presses: new Together(PRESS_EVERY_MS),
  unstored: new Map(),
  stopLines: new TurnsByKey(),
  linkPresses: new Together(PRESS_EVERY_MS),
  roomLines: new TurnsByKey(),
  orderLines: new TurnsByKey(),
  claimLines: new TurnsByKey(),
  revokedLinks: new RecentIds(REVOKED_LINKS_REMEMBERED),
  commands: new Map(),
  stopPlaces: new StopPlaces(),
  signedLines: new Map(),
  looks: new RoomLooks(),
  announcedAtMs: new Map(),
  failing: new Map(),
});
