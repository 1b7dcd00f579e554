import { and, eq, gte, sql } from 'drizzle-orm';
import type { RoomMetadata } from '../protocol/service/control-service.ts';
import { RCW_PRODUCT_NAME, simulatorIdentity } from '../protocol/wire/identity.ts';
import type { OwnerOrder } from '../protocol/wire/owner-order.ts';
import { preparedOnce } from './db/prepared.ts';
import { emergencyStops, ownerOrders, robots } from './db/schema.ts';
import type { ServiceDeps } from './deps.ts';
import { closedLinks } from './operations/links.ts';
import type { RobotRow, SessionRow } from './operations/lookup.ts';
import { pressInRoom } from './operations/press-in-room.ts';

const robotInRoom = preparedOnce((db) =>
  db
    .select({ type: robots.type, press: emergencyStops, order: ownerOrders })
    .from(robots)
    .leftJoin(emergencyStops, eq(emergencyStops.robotId, robots.id))
    .leftJoin(
      ownerOrders,
      and(
        eq(ownerOrders.robotId, robots.id),
        eq(ownerOrders.roomName, sql.placeholder('roomName')),
        gte(ownerOrders.endsAt, sql`now()`),
      ),
    )
    .where(eq(robots.id, sql.placeholder('robotId'))),
);

/** Returns the published data of a session for the metadata of its room and for callers that open it. */
export async function roomMetadataOf(deps: ServiceDeps, session: SessionRow): Promise<RoomMetadata> {
  const { db, sfu, memory } = deps;
  const [robot] = await robotInRoom(db).execute({ roomName: session.roomName, robotId: session.robotId });
  const closed = await closedLinks(deps, session.roomName);
  const unstored = memory.unstored.get(session.robotId);
  // A press by the link of an earlier session does not apply to this one, unless its right is confirmed.
  const isHere = unstored && (unstored.isSure || unstored.room === session.roomName);
  const press = robot?.press ?? (isHere ? unstored.stop : null);
  const agentNames = session.dispatches.map((dispatch) => dispatch.agent_name);
  return {
    robot_id: session.robotId,
    status: 'active',
    required_participants: requiredParticipants({ id: session.robotId, type: robot?.type ?? 'virtual' }, agentNames),
    // `fromEntries` makes a key of every name, including `__proto__`.
    dispatches: Object.fromEntries(session.dispatches.map(({ id, agent_name: name }) => [name, { id }])),
    dispatched_agent_names: agentNames,
    scene_id: session.sceneId,
    created_at: session.createdAt.toISOString(),
    // Only the operator of the SFU can write here, so a runtime in the room knows whom to trust.
    control_keys: sfu.control.keys,
    // So that a runtime that joins later is stopped before it accepts a command.
    ...(press ? { emergency_stop: pressInRoom(press) } : {}),
    ...(robot?.order ? { owner_order: orderInRoom(robot.order) } : {}),
    // So that a robot rejects the commands of such a link's page at once.
    ...(closed.length > 0 ? { closed_links: closed } : {}),
  };
}

const orderInRoom = ({ orderId, ticket, driver }: typeof ownerOrders.$inferSelect): OwnerOrder => ({
  order_id: orderId,
  ticket,
  driver,
});

/**
 * Returns the participants that must be in the room before a client counts the robot as present: the dispatched agents, otherwise
 * the robot itself, which is the tab of a simulated robot or the worker of a machine. Clients wait for these, so uninvited
 * participants are not included.
 */
function requiredParticipants(
  robot: Pick<RobotRow, 'id' | 'type'>,
  agentNames: readonly string[],
): RoomMetadata['required_participants'] {
  const itself = robot.type === 'physical' ? RCW_PRODUCT_NAME : simulatorIdentity(robot.id);
  const keys = agentNames.length > 0 ? agentNames : [itself];
  return Object.fromEntries(keys.map((key) => [key, { min_count: 1 }]));
}
