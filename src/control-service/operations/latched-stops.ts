import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { emergencyReleaseSchema, emergencyStateSchema, type ReleasePlace } from '../../protocol/wire/emergency-stop.ts';
import { emergencyStops, robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { doRepeatedForEach } from '../repeated-work.ts';
import { SfuError } from '../sfu-error.ts';
import { isAnyRuntime } from '../tokens.ts';
import { notifyRuntimes } from './emergency-stop.ts';
import type { SessionRow } from './lookup.ts';
import { markRoom, unmarkRoom } from './press-in-room.ts';
import { regularly } from './regularly.ts';
import { parseJson } from './runtime-calls.ts';
import { notifyRoom } from './sessions.ts';
import type { StopRow, UnstoredStop } from './unstored-stop.ts';
import { forgetUnstored, tryToStore } from './unstored-stops.ts';
import { ATTEMPT_MS } from './until-answered.ts';

/** How often latched robots are checked. */
const TICK_MS = 1_000;

const stateSchema = z.object({
  robot: z.object({
    extra: z.object({
      emergency_stop: emergencyStateSchema.nullish(),
      emergency_release: emergencyReleaseSchema.optional(),
    }),
  }),
});

/** A runtime's report about a press; `place` is where the person was who released it. */
type Said = { kind: 'latched' | 'unknown' } | { kind: 'released'; place: ReleasePlace | undefined };
const UNKNOWN: Said = { kind: 'unknown' };

/**
 * Keeps the latches of the service and of the runtimes in step. A runtime that does not know a press is informed again, for
 * example after a restart of the service, the SFU or the runtime. A press is lifted here when each runtime in the room reports
 * that a person has released that press. A later press stays.
 */
export class LatchedStops {
  private readonly deps: ServiceDeps;
  /** By robot: the room that was informed of a press. */
  private readonly reported = new Map<string, string>();

  constructor(deps: ServiceDeps) {
    this.deps = deps;
  }

  /** Checks each latched robot with an open session. Failed work is retried later. */
  async tick(): Promise<void> {
    const latched = await this.deps.db
      .select({ stop: emergencyStops, session: sessions, robotName: robots.name })
      .from(emergencyStops)
      .innerJoin(sessions, and(eq(sessions.robotId, emergencyStops.robotId), eq(sessions.phase, 'open')))
      .innerJoin(robots, eq(robots.id, emergencyStops.robotId));
    for (const robotId of [...this.reported.keys()])
      if (!latched.some(({ stop }) => stop.robotId === robotId)) this.reported.delete(robotId);
    await doRepeatedForEach(
      this.deps,
      'latched_stops',
      latched,
      ({ stop }) => stop.robotId,
      ({ stop, session, robotName }) => this.lookInto(stop, session, robotName),
    );
  }

  /** Tries to store each unstored press, and checks its robot meanwhile. Does not wait for the database. */
  async tickUnstored(): Promise<void> {
    const unstored = [...this.deps.memory.unstored.values()];
    for (const entry of unstored) void tryToStore(this.deps, entry);
    const robotOf = ({ stop }: UnstoredStop) => stop.robotId;
    await doRepeatedForEach(this.deps, 'unstored_tells', unstored, robotOf, (entry) => this.lookIntoUnstored(entry));
  }

  private async lookInto(stop: StopRow, session: SessionRow, robotName: string): Promise<void> {
    const { db } = this.deps;
    const { roomName } = session;
    const key = `${roomName} ${stop.pressId}`;
    if (this.reported.get(stop.robotId) !== key) {
      await notifyRoom(this.deps, session);
      this.reported.set(stop.robotId, key);
    }
    const said = await this.notifyAgain(roomName, stop);
    if (said?.kind !== 'released') return;
    const lifted = await db
      .delete(emergencyStops)
      .where(and(eq(emergencyStops.robotId, stop.robotId), eq(emergencyStops.pressId, stop.pressId)))
      .returning({ robotId: emergencyStops.robotId });
    if (lifted.length > 0) this.noteReleased(stop, said.place, robotName);
    await notifyRoom(this.deps, session);
  }

  private async lookIntoUnstored(entry: UnstoredStop): Promise<void> {
    const { stop, room } = entry;
    if (room === null) return;
    // Another instance, which does not know the press, may have written the metadata since.
    await markRoom(this.deps, room, stop);
    const said = await this.notifyAgain(room, stop);
    if (said?.kind !== 'released') return;
    entry.isReleased = true;
    forgetUnstored(this.deps, entry);
    this.noteReleased(stop, said.place, null);
    await unmarkRoom(this.deps, room, stop);
  }

  private noteReleased({ robotId, pressedBy }: StopRow, place: ReleasePlace | undefined, robotName: string | null): void {
    this.deps.log({
      level: 'warn',
      event: 'emergency_stop_released',
      robot_id: robotId,
      ...(robotName === null ? {} : { robot: robotName }),
      pressed_by: pressedBy,
      ...(place ? { place } : {}),
    });
  }

  /**
   * Informs the runtimes of a room again if one of them does not know the press.
   * @returns what all of them report; null if they differ
   */
  private async notifyAgain(room: string, stop: StopRow): Promise<Said | null> {
    const present = (await this.deps.sfu.listParticipants(room)).filter(({ identity }) => isAnyRuntime(identity));
    const said = await Promise.all(present.map(({ identity }) => this.ask(room, identity, stop.pressId)));
    if (said.some(({ kind }) => kind === 'unknown')) await notifyRuntimes(this.deps, room, { stop });
    const [first = null] = said;
    return said.every(({ kind }) => kind === first?.kind) ? first : null;
  }

  private async ask(room: string, identity: string, pressId: string): Promise<Said> {
    let reply: string;
    try {
      reply = await this.deps.sfu.performRpc({ room, identity, method: 'runtime.state', payload: '{}', timeoutMs: ATTEMPT_MS });
    } catch (error) {
      if (error instanceof SfuError) return UNKNOWN;
      throw error;
    }
    const state = stateSchema.safeParse(parseJson(reply));
    if (!state.success) return UNKNOWN;
    const { emergency_stop: latched, emergency_release: release } = state.data.robot.extra;
    if (latched) return { kind: 'latched' };
    return release?.press_ids.includes(pressId) ? { kind: 'released', place: release.place } : UNKNOWN;
  }
}

/** Keeps latches in step, and stores presses that could not be stored, until it is stopped. @returns a function that stops it */
export function keepLatchedStops(deps: ServiceDeps): () => Promise<void> {
  const stops = new LatchedStops(deps);
  const ends = [
    regularly(deps, 'latched_stops', TICK_MS, () => stops.tick()),
    // Separate from the other timer, because an unresponsive database blocks that one.
    regularly(deps, 'unstored_tells', TICK_MS, () => stops.tickUnstored()),
  ];
  return async () => void (await Promise.all(ends.map((end) => end())));
}
