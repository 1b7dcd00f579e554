import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { emergencyReleaseSchema, emergencyStateSchema } from '../../protocol/emergency-stop.ts';
import { emergencyStops, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { doRepeatedForEach } from '../repeated-work.ts';
import { SfuError } from '../sfu-error.ts';
import { isAnyRuntime } from '../tokens.ts';
import { type StopRow, tell } from './emergency-stop.ts';
import type { SessionRow } from './lookup.ts';
import { regularly } from './regularly.ts';
import { tellRoom } from './sessions.ts';
import { ATTEMPT_MS } from './until-answered.ts';

/** How often latched robots are looked at. */
const TICK_MS = 1_000;

const stateSchema = z.object({
  robot: z.object({
    extra: z.object({
      emergency_stop: emergencyStateSchema.nullish(),
      emergency_release: emergencyReleaseSchema.optional(),
    }),
  }),
});

/** What a runtime says of a press. */
type Said = 'latched' | 'released' | 'unknown';

/**
 * Keeps the service's latches and those of the runtimes together. A runtime that does not know of a press is told again, whatever
 * was in the way: a service or an SFU that died, a runtime that came back. A press is lifted here when each runtime in the room
 * says that a person has released that very press; a later one stays.
 */
export class LatchedStops {
  private readonly deps: ServiceDeps;
  /** By robot: the room that was told of a press. */
  private readonly told = new Map<string, string>();

  constructor(deps: ServiceDeps) {
    this.deps = deps;
  }

  /** Looks at each latched robot with an open session. What fails is done another time. */
  async tick(): Promise<void> {
    const latched = await this.deps.db
      .select({ stop: emergencyStops, session: sessions })
      .from(emergencyStops)
      .innerJoin(sessions, and(eq(sessions.robotId, emergencyStops.robotId), eq(sessions.phase, 'open')));
    for (const robotId of [...this.told.keys()])
      if (!latched.some(({ stop }) => stop.robotId === robotId)) this.told.delete(robotId);
    await doRepeatedForEach(
      this.deps,
      'latched_stops',
      latched,
      ({ stop }) => stop.robotId,
      ({ stop, session }) => this.lookInto(stop, session),
    );
  }

  private async lookInto(stop: StopRow, session: SessionRow): Promise<void> {
    const { db, sfu } = this.deps;
    const key = `${session.roomName} ${stop.pressId}`;
    if (this.told.get(stop.robotId) !== key) {
      await tellRoom(this.deps, session);
      this.told.set(stop.robotId, key);
    }
    const runtimes = (await sfu.listParticipants(session.roomName)).filter(({ identity }) => isAnyRuntime(identity));
    const said = await Promise.all(runtimes.map(({ identity }) => this.ask(session.roomName, identity, stop.pressId)));
    if (said.length > 0 && said.every((one) => one === 'released')) {
      const lifted = await db
        .delete(emergencyStops)
        .where(and(eq(emergencyStops.robotId, stop.robotId), eq(emergencyStops.pressId, stop.pressId)))
        .returning({ robotId: emergencyStops.robotId });
      if (lifted.length > 0) this.deps.log({ level: 'warn', event: 'emergency_stop_released', robot_id: stop.robotId });
      await tellRoom(this.deps, session);
      return;
    }
    if (said.includes('unknown')) await tell(this.deps, session, stop);
  }

  private async ask(room: string, identity: string, pressId: string): Promise<Said> {
    let reply: string;
    try {
      reply = await this.deps.sfu.performRpc({ room, identity, method: 'runtime.state', payload: '{}', timeoutMs: ATTEMPT_MS });
    } catch (error) {
      if (error instanceof SfuError) return 'unknown';
      throw error;
    }
    const state = stateSchema.safeParse(parse(reply));
    if (!state.success) return 'unknown';
    const { emergency_stop: latched, emergency_release: release } = state.data.robot.extra;
    if (latched) return 'latched';
    return release?.press_ids.includes(pressId) ? 'released' : 'unknown';
  }
}

/** Keeps latches together until it is stopped. @returns a function that stops it */
export function keepLatchedStops(deps: ServiceDeps): () => Promise<void> {
  const stops = new LatchedStops(deps);
  return regularly(deps, 'latched_stops', TICK_MS, () => stops.tick());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
