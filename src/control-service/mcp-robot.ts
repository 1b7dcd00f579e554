import { and, asc, eq } from 'drizzle-orm';
import { quoted, shownName } from '../common/shown-text.ts';
import type { Caller } from './caller.ts';
import { robots, sessions } from './db/schema.ts';
import type { ServiceDeps } from './deps.ts';
import { getRobot, type RobotRow } from './operations/lookup.ts';
import { ServiceError } from './service-error.ts';

/** How many robots an error names. */
const NAMED_MAX = 10;

/**
 * Returns the robot for which a client connects.
 * @param robotId null: the only robot of the account with an open session
 * @throws 404 for an unknown robot, 400 if several robots have a session, 409 if none has
 */
export async function robotOfAgent(deps: Pick<ServiceDeps, 'db'>, caller: Caller, robotId: string | null): Promise<RobotRow> {
  if (robotId !== null) return getRobot(deps.db, caller, robotId);
  const own = eq(robots.ownerId, caller.accountId);
  const found = await deps.db
    .select({ robot: robots })
    .from(sessions)
    .innerJoin(robots, eq(robots.id, sessions.robotId))
    .where(and(own, eq(sessions.phase, 'open')))
    .orderBy(asc(robots.id))
    .limit(NAMED_MAX + 1);
  const [only, ...others] = found.map(({ robot }) => robot);
  if (only === undefined) throw ServiceError.noSessionForAgent(namesOf(await deps.db.select().from(robots).where(own).limit(11)));
  if (others.length > 0) throw ServiceError.severalSessionsForAgent(namesOf([only, ...others]));
  return only;
}

function namesOf(found: RobotRow[]): string {
  const named = found.slice(0, NAMED_MAX).map(({ id, name }) => `${id} (${quoted(shownName(name))})`);
  return `${named.join(', ')}${found.length > NAMED_MAX ? ', and more' : ''}`;
}
