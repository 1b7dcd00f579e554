import { eq } from 'drizzle-orm';
import type { EmergencyStopResult } from '../../protocol/emergency-stop.ts';
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

/** Who pressed, for everybody in the room. Names of keys and accounts are their owner's; the log has the account. */
const PRESSED_BY = 'over HTTP';
/** How long the answer to a press waits for its write, milliseconds. The write goes on after that. */
const STORED_WITHIN_MS = 2_000;

interface Press {
  robotId: string;
  /** Finds the room in which it is told; null for a robot without a session. Presses that are one ask once. */
  findRoom(): Promise<string | null>;
  right: PressRight;
  /** Whether the database has confirmed the right. */
  isSure: boolean;
  /** Whose robot it is, for the log; null where the database did not answer. */
  accountId: string | null;
  /** For everybody in the room. */
  pressedBy: string;
  reason: string | null;
}

/**
 * Presses the emergency stop of the caller's robot. If the database is silent, a right that this instance has seen of late counts, and
 * the media server names the room.
 * @throws 404 for a robot of another account; 503 when the right cannot be checked, or when nobody could be told and nothing stored
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
 * Presses the stop of a robot: tells the room and its runtimes, and stores the press beside that. Presses that come while others are
 * under way are one press, so that no number of them holds the robot's service up. A press whose right is unconfirmed is never one
 * with another: it may turn out to be none.
 * @returns null when the presser turns out to have no right to it
 * @throws 503 when nobody could be told and nothing stored
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
  const [{ runtimes, isMarked }] = await Promise.all([tell(deps, room, entry), endsWithin(STORED_WITHIN_MS, storing)]);
  if (entry.outcome === 'refused') return null;
  // The service makes rooms for open sessions alone, and deletes them with these.
  if (isMarked && 'room' in order.right) entry.isSure = true;
  const isTold = isMarked || runtimes.some(({ after_ms: afterMs }) => afterMs !== null);
  if (entry.outcome === null && !isTold) throw ServiceError.pressWaits();
  const { pressedBy, since, reason } = entry.outcome?.row ?? stop;
  return {
    robot_id: robotId,
    emergency_stop: { by: pressedBy, since_ms: since.getTime(), reason },
    stands: runtimes.length === 0 ? null : runtimes.every(({ stands }) => stands),
    stored: entry.outcome !== null,
    runtimes,
  };
}

/** Latches the stop in this instance: from now on it is in all that the instance writes into the room. The first press is told of, until it is released; each has an id of its own. */
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

/** Tells the runtimes in the room, and whoever joins later. A room that cannot be told now is told later. */
export async function tell(
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

/** Returns the room of a robot by its name at the media server; null for none, or without an answer. The newest comes first. */
async function roomAtSfu({ sfu }: ServiceDeps, robotId: string): Promise<string | null> {
  const rooms = await sfu.listRooms().catch(() => []);
  return rooms.find((room) => robotOfRoom(room) === robotId) ?? null;
}

/** Forgets who pressed and why, for the next owner of a robot. The robot stays stopped. */
export async function forgetWhoPressed(tx: Database, robotId: string): Promise<void> {
  await tx.update(emergencyStops).set({ pressedBy: PRESSED_BEFORE, reason: null }).where(eq(emergencyStops.robotId, robotId));
}
