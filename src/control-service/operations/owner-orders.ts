import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { shownName } from '../../common/shown-text.ts';
import type { ControlOrderRequest } from '../../protocol/service/control-requests.ts';
import type { ControlOrderResult } from '../../protocol/service/control-service.ts';
import { type DriverFacts, driverFactsSchema } from '../../protocol/wire/driver.ts';
import { ORDER_LIFE_MS, type OwnerOrder, ownerOrdersSchema } from '../../protocol/wire/owner-order.ts';
import type { Caller } from '../caller.ts';
import { ownerOrders, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { doRepeatedForEach } from '../repeated-work.ts';
import { newId } from '../secrets.ts';
import { ServiceError } from '../service-error.ts';
import { SfuError } from '../sfu-error.ts';
import { isAnyRuntime } from '../tokens.ts';
import { findRuntime, PAUSE_MS } from './find-runtime.ts';
import { findSession, getRobot, type SessionRow } from './lookup.ts';
import { regularly } from './regularly.ts';
import { askSfu, notifyRoom } from './sessions.ts';
import { ATTEMPT_MS } from './until-answered.ts';

/**
 * How long to wait for a runtime, and after how long the room is informed again: another instance may have overwritten the order
 * with older metadata.
 */
const OBEYS_WITHIN_MS = 8_000;
const TELL_AGAIN_MS = 1_000;
const KEPT_EVERY_MS = 1_000;
/** Extra time of an attempt for the path through the media server. */
const WAY_MS = 500;

/**
 * Sets the driver of the caller's robot; null: no driver. The order is stored, written into the room's metadata, and answered
 * when the runtime's state reports that it was obeyed. If the service dies in between, the order still applies. Repeating is
 * safe.
 * @throws 409 without a session, without a runtime that obeys orders, or if the new driver is not in the room; 504 if the runtime
 * does not report in time that it has obeyed
 */
export async function orderControl(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  request: ControlOrderRequest,
  signal?: AbortSignal,
): Promise<ControlOrderResult> {
  const robot = await getRobot(deps.db, caller, robotId);
  return deps.memory.orderQueues.run(robotId, async () => {
    signal?.throwIfAborted();
    const { room, identity } = await findRuntime(deps, robot, signal);
    const session = await findSession(deps.db, robotId);
    if (session?.roomName !== room) throw ServiceError.noSession();
    if (request.to !== null) await checkIsThere(deps, room, request.to);
    const runtime: RuntimeInRoom = { deps, session, identity, untilMs: deps.clock.monotonicMs() + OBEYS_WITHIN_MS, signal };
    const order = await orderUntilObeyed(runtime, request);
    deps.log({
      level: 'info',
      event: 'owner_order',
      robot_id: robotId,
      account_id: caller.accountId,
      driver: order.driver?.identity ?? null,
    });
    return { robot_id: robotId, ...order };
  });
}

/** Writes active orders into rooms and removes ended ones, until it is stopped. @returns a function that stops it */
export const keepOrdersNew = (deps: ServiceDeps): (() => Promise<void>) =>
  regularly(deps, 'owner_orders', KEPT_EVERY_MS, async () => {
    await sendLivingOrders(deps);
    await clearEndedOrders(deps);
  });

/**
 * Writes the active orders into their rooms: an instance may have died between storing an order and writing it. Failed work is
 * retried later.
 */
export async function sendLivingOrders(deps: ServiceDeps): Promise<void> {
  const living = await deps.db
    .select({ session: sessions })
    .from(ownerOrders)
    .innerJoin(sessions, eq(sessions.robotId, ownerOrders.robotId))
    .where(and(gte(ownerOrders.endsAt, sql`now()`), eq(sessions.phase, 'open')));
  const robotOf = ({ session }: (typeof living)[0]) => session.robotId;
  await doRepeatedForEach(deps, 'living_orders', living, robotOf, ({ session }) => notifyRoom(deps, session));
}

/** Removes orders that have ended, from the rooms first. Failed work is retried later. */
export async function clearEndedOrders(deps: ServiceDeps): Promise<void> {
  const ended = await deps.db.select().from(ownerOrders).where(lt(ownerOrders.endsAt, sql`now()`));
  const clear = async ({ robotId, orderId }: (typeof ended)[0]): Promise<void> => {
    const [session] = await deps.db.select().from(sessions).where(eq(sessions.robotId, robotId));
    if (session?.phase === 'open') await notifyRoom(deps, session);
    await deps.db.delete(ownerOrders).where(eq(ownerOrders.orderId, orderId));
  };
  await doRepeatedForEach(deps, 'ended_orders', ended, ({ robotId }) => robotId, clear);
}

interface RuntimeInRoom {
  deps: ServiceDeps;
  session: SessionRow;
  identity: string;
  /** By the monotonic clock. */
  untilMs: number;
  signal: AbortSignal | undefined;
}

async function checkIsThere({ sfu }: ServiceDeps, room: string, identity: string): Promise<void> {
  const found = (await askSfu(() => sfu.listParticipants(room))).find((present) => present.identity === identity);
  if (found === undefined || isAnyRuntime(identity) || !found.mayCall) throw ServiceError.noDriverThere(identity);
}

/** Writes the order, and a fresh one if the runtime received it too late, until one is obeyed or the time is over. */
async function orderUntilObeyed(
  runtime: RuntimeInRoom,
  request: ControlOrderRequest,
): Promise<Pick<ControlOrderResult, 'driver' | 'previous'>> {
  const { deps } = runtime;
  let said = await whatItSays(runtime, runtime.untilMs, () => true);
  if (said === null) throw ServiceError.orderUnanswered(false);
  const previous = said.driver;
  for (;;) {
    if (said.orders === null) throw ServiceError.knowsNoOrders();
    const orderId = newId(deps.clock.nowMs(), deps.randomBytes);
    await write(runtime, orderOf(orderId, said.orders.ticket, request));
    const heard = await untilHeard(runtime, orderId);
    const outcome = heard && (outcomeOf(heard.orders, orderId) ?? 'overtaken');
    if (heard !== null && outcome === 'obeyed') return { driver: heard.driver, previous };
    if (heard !== null && outcome === 'overtaken') throw ServiceError.orderOvertaken();
    if (heard === null || deps.clock.monotonicMs() >= runtime.untilMs) throw ServiceError.orderUnanswered(true);
    said = heard;
  }
}

/** @returns null if the time is over */
async function untilHeard(runtime: RuntimeInRoom, orderId: string): Promise<Said | null> {
  const { deps, session, untilMs } = runtime;
  for (;;) {
    const againAtMs = Math.min(untilMs, deps.clock.monotonicMs() + TELL_AGAIN_MS);
    const heard = await whatItSays(
      runtime,
      againAtMs,
      async ({ orders }) => outcomeOf(orders, orderId) !== null || (await isReplaced(runtime, orderId)),
    );
    if (heard !== null || deps.clock.monotonicMs() >= untilMs) return heard;
    await notifyRoom(deps, session).catch(() => {});
  }
}

function orderOf(orderId: string, ticket: string, { to, name, kind }: ControlOrderRequest): OwnerOrder {
  const driver = to === null ? null : { identity: to, kind: kind ?? 'program', ...(name ? { name } : {}) };
  return { order_id: orderId, ticket, driver };
}

/** Stores the order, and informs the room. The order that is stored last counts. */
async function write({ deps, session }: RuntimeInRoom, order: OwnerOrder): Promise<void> {
  const { robotId, roomName } = session;
  const row = { robotId, roomName, orderId: order.order_id, ticket: order.ticket, driver: order.driver, endsAt: ENDS_AT };
  await deps.db.insert(ownerOrders).values(row).onConflictDoUpdate({ target: ownerOrders.robotId, set: row });
  await askSfu(() => notifyRoom(deps, session));
}

/** By the clock of the database, which all instances share. */
const ENDS_AT = sql`now() + make_interval(secs => ${ORDER_LIFE_MS / 1_000})`;

/** Another instance of the service stored another order. */
async function isReplaced({ deps, session }: RuntimeInRoom, orderId: string): Promise<boolean> {
  const [row] = await deps.db.select().from(ownerOrders).where(eq(ownerOrders.robotId, session.robotId));
  return row !== undefined && row.orderId !== orderId;
}

/** A runtime's report about its driver and orders; `orders` is null if it does not support them. */
interface Said {
  driver: DriverFacts | null;
  orders: z.infer<typeof ownerOrdersSchema> | null;
}

const outcomeOf = (orders: Said['orders'], orderId: string) =>
  orders?.heard.find((one) => one.order_id === orderId)?.outcome ?? null;

/** Any holder of the robot's key may be the runtime, and may report anything. */
const saidSchema = z.object({
  robot: z.object({
    extra: z.object({
      driver: driverFactsSchema
        .transform((driver) => ({ ...driver, name: shownName(driver.name) }))
        .nullish()
        .catch(null),
      owner_orders: ownerOrdersSchema.nullish().catch(null),
    }),
  }),
});

/** Reads its state until the awaited change appears. @returns null if the time is over */
async function whatItSays(
  { deps, session, identity, signal }: RuntimeInRoom,
  untilMs: number,
  isIt: (said: Said) => boolean | Promise<boolean>,
): Promise<Said | null> {
  for (;;) {
    signal?.throwIfAborted();
    const said = await askOnce(deps, session.roomName, identity);
    if (said !== null && (await isIt(said))) return said;
    if (deps.clock.monotonicMs() >= untilMs) return null;
    await sleep(PAUSE_MS, undefined, signal ? { signal } : {});
  }
}

async function askOnce({ sfu }: ServiceDeps, room: string, identity: string): Promise<Said | null> {
  const signal = AbortSignal.timeout(ATTEMPT_MS + WAY_MS);
  let reply: unknown;
  try {
    const call = { room, identity, method: 'runtime.state', payload: '{}', timeoutMs: ATTEMPT_MS, signal };
    reply = JSON.parse(await sfu.performRpc(call));
  } catch (error) {
    if (error instanceof SfuError || error instanceof SyntaxError || signal.aborted) return null;
    throw error;
  }
  const said = saidSchema.safeParse(reply);
  if (!said.success) return null;
  const { driver, owner_orders: orders } = said.data.robot.extra;
  return { driver: driver ?? null, orders: orders ?? null };
}
