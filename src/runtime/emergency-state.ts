import { z } from 'zod';
import type { Caller } from '../protocol/wire/caller.ts';
import { RELEASE_PLACES, type ReleasePlace } from '../protocol/wire/emergency-stop.ts';
import type { Reply } from './runtime-call.ts';

/** A latched emergency stop. */
export interface EmergencyStop {
  /** The caller that latched it, when (milliseconds since the epoch on the wall clock), and why in the caller's words. */
  by: Caller;
  /** The name that the room had for the person; null or absent where it is unknown. */
  name?: string | null | undefined;
  sinceMs: number;
  reason: string | null;
}

/** The part of an emergency stop that survives a reload: plain data. */
export interface KeptEmergency {
  latched: EmergencyStop | null;
  /** Presses of the control service that were carried out and not released yet. */
  pressIds: string[];
  release: Release | null;
}

/** The last release by a person. */
export interface Release {
  atMs: number;
  pressIds: string[];
  /** Where the person was; absent in a record of an earlier version. */
  place?: ReleasePlace | undefined;
}

/** A press that waits until the robot stands. */
export interface WaitingPress {
  reply: Reply;
  pressedAtMs: number;
}

/** The emergency stop of a runtime, between two steps. */
export interface Emergency {
  /** Null while the stop is released. The first press is the reported one. */
  latched: EmergencyStop | null;
  /** Presses of the control service that were carried out and not released yet, by their ids. */
  pressIds: string[];
  /** The last release by a person; its presses cannot latch again, however late they are reported. */
  release: Release | null;
  /**
   * The press of the control service that the latching call claims to be. The SFU delivers such a call under an invented name, so
   * the room's report of this press determines who pressed. Null if anything else latched the stop.
   */
  saidPressId: string | null;
  readonly waiting: WaitingPress[];
}

/** @param kept from before a restart */
export const createEmergency = ({ latched, pressIds, release }: KeptEmergency = NOTHING): Emergency => ({
  latched,
  pressIds,
  release,
  saidPressId: null,
  waiting: [],
});

const NOTHING: KeptEmergency = { latched: null, pressIds: [], release: null };

const stopSchema = z.object({
  by: z.custom<Caller>(isCaller),
  name: z.string().nullish(),
  sinceMs: z.number(),
  reason: z.string().nullable(),
});

const keptSchema = z.object({
  latched: stopSchema.nullable(),
  pressIds: z.array(z.string()),
  release: z
    .object({ atMs: z.number(), pressIds: z.array(z.string()), place: z.enum(RELEASE_PLACES).optional().catch(undefined) })
    .nullable(),
});

/** Reads a kept emergency stop; null for any other value. */
export function readKeptEmergency(value: unknown): KeptEmergency | null {
  const read = keptSchema.safeParse(value);
  return read.success ? read.data : null;
}

/** Reads a latched stop that was kept as JSON text; null for anything else. */
export function readEmergencyStop(text: string): EmergencyStop | null {
  try {
    return stopSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Each kind of caller has one text beside its kind, or is the page. */
function isCaller(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  const { kind, ...rest } = value as Record<string, unknown>;
  const name = { page: '', participant: rest.identity, holder: rest.holder, service: rest.name, robot: rest.what }[String(kind)];
  return typeof name === 'string';
}
