import { z } from 'zod';
import { quoted, shownName } from '../../common/shown-text.ts';
import { type Caller, callerName } from './caller.ts';
import type { RuntimeProfile } from './profile.ts';

/** The lease on the wire: one caller drives. While no caller has taken the lease, every caller commands. */

/** The method that takes, hands over and releases the lease. */
export const CONTROL_METHOD = 'runtime.control';
/**
 * A driver that sends nothing for this long has lost the lease, milliseconds. A real robot must not wait that long for an absent
 * caller.
 */
export const DRIVER_SILENT_MS: Readonly<Record<RuntimeProfile, number>> = { simulator: 10_000, worker: 5_000 };
/** How often an idle driver confirms its presence, and how often a caller that asks repeats its question, milliseconds. */
export const DRIVER_RENEW_MS = 1_500;
/**
 * A caller may take the lease, or ask for it again, this often within {@link LEASE_CHANGES_WITHIN_MS}, because each time the whole room
 * is notified.
 */
export const LEASE_CHANGES_AT_ONCE_MAX = 8;
/** When all callers together exceed this number, each caller is limited to one. */
export const LEASE_CHANGES_OF_ALL_MAX = 32;
export const LEASE_CHANGES_WITHIN_MS = 10_000;
/** The maximum number of callers that ask at a time. */
export const ASKERS_MAX = 4;
export const DRIVER_NAME_MAX_CHARS = 64;
const DRIVER_IDENTITY_MAX_CHARS = 256;

const CONTROL_ACTIONS = ['take', 'release', 'ask', 'give', 'renew'] as const;
export type ControlAction = (typeof CONTROL_ACTIONS)[number];
export const DRIVER_KINDS = ['person', 'program', 'agent'] as const;
/** The driver, in the words of its caller. */
export type DriverKind = (typeof DRIVER_KINDS)[number];

export const controlRequestSchema = z.strictObject({
  action: z
    .enum(CONTROL_ACTIONS)
    .describe(
      '`take` it while no one drives; `ask` the driver, or take it when no one drives; `renew` keeps the lease; `give` it to one who asked; `release` it, or take back what was asked',
    ),
  name: z
    .string()
    .max(DRIVER_NAME_MAX_CHARS)
    .optional()
    .describe('of `take` and `ask`: a name to show to others; absent: the identity in the room'),
  kind: z.enum(DRIVER_KINDS).optional().describe('of `take` and `ask`: what drives; absent: `program`'),
  to: z
    .string()
    .min(1)
    .max(DRIVER_IDENTITY_MAX_CHARS)
    .optional()
    .describe('of `give`: the identity of the participant who asked'),
});
export type ControlRequest = z.output<typeof controlRequestSchema>;

const who = {
  identity: z.string().nullable().describe("identity in the room, which the SFU vouches for; null: the robot's own page"),
  name: z.string().describe('a name to show, in its own words'),
  kind: z.enum(DRIVER_KINDS).describe('what it is, in its own words'),
  since_ms: z.int().describe('since when, milliseconds since the epoch'),
};
export const driverFactsSchema = z.object(who);
/** A caller that drives, or asks for the lease. */
export type DriverFacts = z.infer<typeof driverFactsSchema>;

/** The driver, as the state shows it. */
export const driverSchema = z.object({
  ...who,
  asked_by: z.array(driverFactsSchema).describe('those who ask for it now, the first first'),
});
/** The driver, and the callers that ask for the lease. */
export type Driver = z.infer<typeof driverSchema>;

/** How the lease came to its present holder, or how it ended. */
export const DRIVER_CHANGES = ['taken', 'given', 'taken_over', 'released', 'left', 'silent'] as const;
/** How the lease came to its present holder, or how it ended. */
export type DriverChange = (typeof DRIVER_CHANGES)[number];

/** The answer to `runtime.control`, as the result of a call that is done. */
const controlAnswerSchema = z.object({
  driver: driverSchema.nullable().describe('who drives now; null: no one, and every caller commands'),
  you_drive: z.boolean().describe('whether the caller drives now'),
  renew_within_ms: z.int().describe('after this much silence the driver has lost it'),
});
export type ControlAnswer = z.infer<typeof controlAnswerSchema>;

/** Reads the answer to `runtime.control`; null for anything else. */
export function readControlAnswer(reply: unknown): ControlAnswer | null {
  if (typeof reply !== 'object' || reply === null || !('result' in reply)) return null;
  const read = controlAnswerSchema.safeParse(reply.result);
  return read.success ? read.data : null;
}

/**
 * Returns the key that identifies a caller as the driver: the connection that the SFU vouches for, never a name. Null: the caller
 * cannot drive.
 */
export function driverKey(caller: Caller): string | null {
  switch (caller.kind) {
    case 'page':
      return caller.agent ? 'page agent' : 'page';
    case 'participant':
      return `in the room: ${caller.identity}`;
    case 'holder':
      return `in the room: ${caller.carrier}`;
    case 'service':
    case 'robot':
      return null;
  }
}

/** Returns the identity of such a caller in the room; null for the robot's page. */
export const driverIdentity = (caller: Caller): string | null => {
  if (caller.kind === 'participant') return caller.identity;
  return caller.kind === 'holder' ? caller.carrier : null;
};

/** Whether an agent in the browser of the robot's page drives, or asks to. The person at this page is another caller. */
export const isPageAgent = ({ identity, kind }: Pick<DriverFacts, 'identity' | 'kind'>): boolean =>
  identity === null && kind === 'agent';

/** Returns the name to show for a caller that gave this one. */
export function driverName(caller: Caller, given: string | undefined): string {
  const name = given?.trim() ?? '';
  return shownName(name === '' ? callerName(caller) : name);
}

/** Returns the name of the driver, for a sentence. */
export const saidDriver = ({ identity, name, kind }: Pick<Driver, 'identity' | 'name' | 'kind'>): string =>
  identity === null && kind !== 'agent' ? "the person at the robot's page" : `the ${kind} ${quoted(name)}`;
