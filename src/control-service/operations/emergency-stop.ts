import { eq } from 'drizzle-orm';
import type { EmergencyStopResult } from '../../protocol/wire/emergency-stop.ts';
import type { Caller } from '../caller.ts';
import type { Database } from '../db/database.ts';
import { emergencyStops } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { endsWithin, promptly } from '../promptly.ts';
import { robotOfRoom } from '../room-name.ts';
import { newId } from '../secrets.ts';
import { ServiceError } from '../service-error.ts';
import { findSession, getRobot } from './lookup.ts';
import { markRoom } from './press-in-room.ts';
import { type PressedRuntime, pressRuntimes } from './press-runtimes.ts';
import type { PressRight, UnstoredStop } from './unstored-stop.ts';
import { PRESSED_BEFORE, tryToStore } from './unstored-stops.ts';

/**
 * The presser's name for the participants of the room. Names of keys and accounts are private to their owner; the log contains
 * the account.
 */
const PRESSED_BY = 'over HTTP';
/** How long the answer to a press waits for its write, in milliseconds. The write continues after that. */
const STORED_WITHIN_MS = 2_000;

interface Press {
  robotId: string;
  /** Finds the room to inform; null for a robot without a session. Merged presses ask once. */
  findRoom(): Promise<string | null>;
  right: PressRight;
  /** Whether the database has confirmed the right. */
  isSure: boolean;
  /** The owner of the robot, as logged; null if the database did not answer. */
  accountId: string | null;
  /** The name for the participants of the room. */
  pressedBy: string;
  reason: string | null;
}

/**
 * Presses the emergency stop of the caller's robot. If the database does not respond, a right that this instance has recently
 * seen counts, and the media server names the room.
 * @throws 404 for a robot of another account; 503 if the right cannot be checked, or if the press reached no room and was not
 * stored
 */
export async function emergencyStop(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  reason: string | null,
): Promise<EmergencyStopResult> {
  const { accountId } = caller;
  const looking = getRobot(deps.db, caller, robotId).then(() => findSession(deps.db, robotId));
  const asked = looking.then((session) => ({ room: session?.roomName ?? null, isSure: true }));
  const isKnown = () => deps.memory.rights.isOwner(accountId, robotId, deps.clock);
  const found = await promptly(asked, () => (isKnown() ? REMEMBERED : null));
  const findRoom = async () => (found === REMEMBERED ? roomAtSfu(deps, robotId) : found.room);
  const order = { robotId, findRoom, right: { accountId }, isSure: found.isSure, accountId, pressedBy: PRESSED_BY, reason };
  const result = await pressRobot(deps, order);
  if (result === null) throw ServiceError.robotNotFound();
  return result;
}

const REMEMBERED = { room: null, isSure: false };

/**
 * Presses the stop of a robot: informs the room and its runtimes, and stores the press at the same time. Presses that come while
 * others are under way are merged into one, so that their number does not block the robot's service. An unconfirmed press is
 * never merged, because it may turn out to be invalid.
 * @returns null if the presser turns out to have no right to it
 * @throws 503 if the press reached no room and was not stored
 */
export function pressRobot(deps: ServiceDeps, order: Press): Promise<EmergencyStopResult | null> {
  const key = order.isSure ? order.robotId : `${order.robotId} ${JSON.stringify(order.right)}`;
  return deps.memory.presses.run(key, () => pressOnce(deps, order));
}

async function pressOnce(deps: ServiceDeps, order: Press): Promise<EmergencyStopResult | null> {
  const { robotId, accountId } = order;
  const room = await order.findRoom();
  const entry = latch(deps, order, room);
  const { stop } = entry;
  const storing = tryToStore(deps, entry);
  deps.log({ level: 'warn', event: 'emergency_stop', robot_id: robotId, account_id: accountId });
  const [{ runtimes, isMarked }] = await Promise.all([notifyRuntimes(deps, room, entry), endsWithin(STORED_WITHIN_MS, storing)]);
  if (entry.outcome === 'refused') return null;
  // The service creates rooms only for open sessions, and deletes them with the session.
  if (isMarked && 'room' in order.right) entry.isSure = true;
  const isReported = isMarked || runtimes.some(({ after_ms: afterMs }) => afterMs !== null);
  if (entry.outcome === null && !isReported) throw ServiceError.pressWaits();
  const { pressedBy, since, reason } = entry.outcome?.row ?? stop;
  return {
    robot_id: robotId,
    emergency_stop: { by: pressedBy, since_ms: since.getTime(), reason },
    stands: runtimes.length === 0 ? null : runtimes.every(({ stands }) => stands),
    stored: entry.outcome !== null,
    runtimes,
  };
}

/**
 * Latches the stop in this instance: everything that the instance writes into the room contains it from then on. The first press
 * is shown until it is released. Each press has its own id.
 */
function latch(
  { memory, clock, randomBytes }: ServiceDeps,
  { robotId, right, isSure, pressedBy, reason }: Press,
  room: string | null,
): UnstoredStop {
  const nowMs = clock.nowMs();
  const before = memory.unstored.get(robotId);
  const first = before?.isSure ? before.stop : { pressedBy, reason, since: new Date(nowMs) };
  const stop = { ...first, robotId, pressId: newId(nowMs, randomBytes) };
  const entry: UnstoredStop = {
    stop,
    room: room ?? before?.room ?? null,
    right,
    isSure: isSure || (before?.isSure ?? false),
    wasTried: false,
    isReleased: false,
    storing: null,
    outcome: null,
  };
  memory.unstored.set(robotId, entry);
  return entry;
}

/** Informs the runtimes in the room, and those that join later. A room that cannot be reached is informed later. */
export async function notifyRuntimes(
  deps: ServiceDeps,
  room: string | null,
  { stop }: Pick<UnstoredStop, 'stop'>,
): Promise<{ runtimes: PressedRuntime[]; isMarked: boolean }> {
  if (room === null) return { runtimes: [], isMarked: false };
  const [runtimes, isMarked] = await Promise.all([
    pressRuntimes(deps, { robotId: stop.robotId, roomName: room }, stop),
    markRoom(deps, room, stop).catch(() => false),
  ]);
  return { runtimes, isMarked };
}

/**
 * Returns the room of a robot by its name at the media server; null if there is no room, or no answer. The newest comes first.
 */
async function roomAtSfu({ sfu }: ServiceDeps, robotId: string): Promise<string | null> {
  const rooms = await sfu.listRooms().catch(() => []);
  return rooms.find((room) => robotOfRoom(room) === robotId) ?? null;
}

/** Forgets the presser and the reason, so that the robot's next owner does not see them. The robot stays stopped. */
export async function forgetWhoPressed(tx: Database, robotId: string): Promise<void> {
  await tx.update(emergencyStops).set({ pressedBy: PRESSED_BEFORE, reason: null }).where(eq(emergencyStops.robotId, robotId));
}
