import { and, asc, count, eq, gt } from 'drizzle-orm';
import type { CreateRobotRequest, UpdateRobotRequest } from '../../protocol/service/control-requests.ts';
import type { Caller } from '../caller.ts';
import type { Database } from '../db/database.ts';
import { accounts, robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { newId, newPin } from '../secrets.ts';
import { ServiceError } from '../service-error.ts';
import { hashSecret } from '../slow-hash.ts';
import { countCreation, refuseTooManyRobots } from './account-limits.ts';
import { lockCaller } from './claim-limit.ts';
import { forgetWhoPressed } from './emergency-stop.ts';
import { getRobot, isRobotId, type RobotRow } from './lookup.ts';
import { logPinNeeded, NO_PIN } from './pin-life.ts';
import { deleteSession } from './sessions.ts';

/** Returns one page of the caller's robots, oldest first. `nextId` is null on the last page. */
export async function listRobots(
  { db }: Pick<ServiceDeps, 'db'>,
  caller: Caller,
  query: { limit: number; after_id?: string | undefined },
): Promise<{ robots: RobotRow[]; nextId: string | null; total: number }> {
  const own = eq(robots.ownerId, caller.accountId);
  // Fetching one row more than requested shows whether there is a next page.
  const found = await db
    .select()
    .from(robots)
    .where(query.after_id === undefined ? own : and(own, gt(robots.id, query.after_id)))
    .orderBy(asc(robots.id))
    .limit(query.limit + 1);
  const [counted] = await db.select({ total: count() }).from(robots).where(own);
  const page = found.slice(0, query.limit);
  const hasMore = found.length > query.limit;
  return { robots: page, nextId: hasMore ? (page.at(-1)?.id ?? null) : null, total: counted?.total ?? 0 };
}

/**
 * Creates a virtual robot, claimed for the caller. The PIN is returned only here, because only its hash is stored.
 * @throws 429 if the caller has, or creates, too many
 */
export async function createRobot(
  deps: ServiceDeps,
  caller: Caller,
  body: CreateRobotRequest,
): Promise<{ robot: RobotRow; pinCode: string }> {
  await countCreation(deps, caller);
  return insertRobot(deps, caller, body);
}

/**
 * Registers a physical robot, which its owner-to-be claims with the PIN. For the operator of the service; no HTTP request reaches
 * it.
 */
export async function registerPhysicalRobot(
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'randomBytes' | 'settings'>,
  robot: { name: string; model: string },
): Promise<{ robot: RobotRow; pinCode: string }> {
  return insertRobot(deps, null, { ...robot, type: 'physical' });
}

/** Returns every robot, oldest first, with the name of its owner's account. For the operator of the service. */
export async function listEveryRobot(
  db: Database,
): Promise<
  (Pick<RobotRow, 'id' | 'type' | 'model' | 'name' | 'pinHash' | 'wrongPins' | 'createdAt'> & { owner: string | null })[]
> {
  const { id, type, model, name, pinHash, wrongPins, createdAt } = robots;
  return db
    .select({ id, type, model, name, pinHash, wrongPins, createdAt, owner: accounts.name })
    .from(robots)
    .leftJoin(accounts, eq(accounts.id, robots.ownerId))
    .orderBy(asc(robots.id));
}

async function insertRobot(
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'randomBytes' | 'settings'>,
  owner: Caller | null,
  body: Omit<CreateRobotRequest, 'type'> & { type: RobotRow['type'] },
): Promise<{ robot: RobotRow; pinCode: string }> {
  const now = new Date(deps.clock.nowMs());
  const pinCode = newPin(deps.randomBytes);
  const ownerId = owner?.accountId ?? null;
  const robot: RobotRow = {
    id: newId(now.getTime(), deps.randomBytes),
    ownerId,
    model: body.model,
    name: body.name,
    issuedName: body.name,
    type: body.type,
    description: body.description ?? null,
    language: body.language ?? null,
    voice: body.voice ?? null,
    publicKey: null,
    pinHash: await hashSecret(pinCode, deps.randomBytes, deps.settings.pinHashCost, owner?.accountId),
    wrongPins: 0,
    createdBy: ownerId,
    createdAt: now,
    updatedAt: now,
  };
  await deps.db.transaction(async (tx) => {
    if (owner) {
      // Checked again, because other robots may have been created while the PIN was hashed.
      await lockCaller(tx, owner);
      await refuseTooManyRobots(deps.settings, tx, owner);
    }
    await tx.insert(robots).values(robot);
  });
  return { robot, pinCode };
}

/** Changes the fields in the body. A field that is null returns to its default. An empty body changes nothing. */
export async function updateRobot(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  body: UpdateRobotRequest,
): Promise<RobotRow> {
  if (!isRobotId(robotId)) throw ServiceError.robotNotFound();
  const { description, language, voice } = body;
  const name = body.name ?? undefined;
  const changes = withoutUndefined({ name, description, language, voice });
  if (Object.keys(changes).length === 0) return getRobot(deps.db, caller, robotId);
  const [robot] = await deps.db
    .update(robots)
    .set({ ...changes, updatedAt: new Date(deps.clock.nowMs()) })
    .where(and(eq(robots.id, robotId), eq(robots.ownerId, caller.accountId)))
    .returning();
  if (!robot) throw ServiceError.robotNotFound();
  return robot;
}

/**
 * Closes the robot's session and removes the robot. A physical robot stays known, and can be claimed again once it has a new PIN.
 */
export async function deleteRobot(deps: ServiceDeps, caller: Caller, robotId: string): Promise<void> {
  let removed: RobotRow | null = null;
  while (!removed) {
    // Not in the transaction: the media server may take seconds to answer.
    await deleteSession(deps, caller, robotId);
    removed = await deps.db.transaction(async (tx) => {
      const robot = await getRobot(tx, caller, robotId, true);
      const [opened] = await tx.select({ robotId: sessions.robotId }).from(sessions).where(eq(sessions.robotId, robotId));
      if (opened) return null;
      if (robot.type === 'virtual') await tx.delete(robots).where(eq(robots.id, robotId));
      else {
        await tx.update(robots).set(released(robot, deps.clock.nowMs())).where(eq(robots.id, robotId));
        await forgetWhoPressed(tx, robotId);
      }
      return robot;
    });
  }
  if (removed.type === 'physical') logPinNeeded(deps, robotId, 'released');
}

/** Returns a robot without its owner. The next owner sees no data of this one, and this owner does not know the new PIN. */
function released(robot: RobotRow, nowMs: number): Partial<RobotRow> {
  const unsaid = { description: null, language: null, voice: null, name: robot.issuedName ?? robot.model };
  return { ownerId: null, ...unsaid, pinHash: NO_PIN, wrongPins: 0, updatedAt: new Date(nowMs) };
}

function withoutUndefined<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
