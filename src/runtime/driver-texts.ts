import { capitalise } from '../common/capitalise.ts';
import {
  ASKERS_MAX,
  CONTROL_METHOD,
  type Driver,
  type DriverChange,
  type DriverFacts,
  LEASE_CHANGES_AT_ONCE_MAX,
  LEASE_CHANGES_WITHIN_MS,
  saidDriver,
} from '../protocol/wire/driver.ts';
import { advisedError, type RuntimeError, runtimeError } from '../protocol/wire/error-codes.ts';
import { BY_OWNER } from '../protocol/wire/owner-order.ts';

/** The sentences of rejections because of the lease. */

const ASK = { method: CONTROL_METHOD, payload: { action: 'ask' } } as const;
const ASK_FOR_IT = `Ask for it with ${CONTROL_METHOD} {"action": "ask"}`;

const lostBy = (why: DriverChange, by: string | undefined) => ({ lost_by: why, ...(by ? { by } : {}) });

const facts = (driver: Driver) => {
  const { asked_by: _, ...holder } = driver;
  return { driver: holder, since_ms: driver.since_ms, ask_with: ASK };
};

/** A command of a caller that does not drive. @param asked the skill */
export const notController = (asked: string, driver: Driver): RuntimeError =>
  advisedError(
    'NOT_CONTROLLER',
    `${asked} is refused: ${saidDriver(driver)} drives this robot.`,
    `${ASK_FOR_IT}, or call again when no one drives. Reads, pictures and stops are free.`,
    facts(driver),
  );

/** A take while another caller drives. */
export const drivenByAnother = (driver: Driver): RuntimeError =>
  advisedError('NOT_CONTROLLER', `${capitalise(saidDriver(driver))} drives this robot.`, `${ASK_FOR_IT}.`, facts(driver));

/**
 * A renewal or a handover of a caller that does not drive.
 * @param driver the present driver; null for no one
 * @param lost how the caller lost the lease, if that is known
 */
export const notDriving = (
  driver: Driver | null,
  lost: { why: DriverChange; by: string | undefined } | null = null,
): RuntimeError =>
  advisedError(
    'NOT_CONTROLLER',
    `The caller does not drive this robot${driver ? `: ${saidDriver(driver)} does` : ', and no one does'}.`,
    driver ? `${ASK_FOR_IT}.` : `Take it with ${CONTROL_METHOD} {"action": "take"}.`,
    {
      ...(driver ? facts(driver) : { driver: null }),
      ...(lost ? lostBy(lost.why, lost.by) : {}),
      retryable: false,
    },
  );

export const tooManyAsk = (driver: Driver): RuntimeError =>
  runtimeError(
    'NOT_CONTROLLER',
    `${ASKERS_MAX} others ask ${saidDriver(driver)} for this robot already. Ask again when one of them has it.`,
    facts(driver),
  );

/** A take, or a question, of a caller that has done so again and again. @param retryAfterMs until one more is accepted */
export const tooManyLeaseChanges = (retryAfterMs: number): RuntimeError =>
  runtimeError(
    'BUSY',
    `This caller takes this robot, or asks for it, too often: more than ${LEASE_CHANGES_AT_ONCE_MAX} times in ${LEASE_CHANGES_WITHIN_MS / 1000} s, or others do so too. Nothing has changed. Take it again in ${retryAfterMs} ms, and keep it while you drive.`,
    {
      limit: 'control_changes',
      allowed: { control_changes: LEASE_CHANGES_AT_ONCE_MAX, within_ms: LEASE_CHANGES_WITHIN_MS },
      retry_after_ms: retryAfterMs,
    },
  );

/** A handover to a caller that did not ask. */
export const giveToWhom = (askers: readonly DriverFacts[]): RuntimeError =>
  runtimeError(
    'INVALID_INPUT',
    '"to" must be the identity of a participant who asks for this robot; details.allowed lists them. Call runtime.control {"action": "ask"} there first.',
    {
      path: 'to',
      allowed: askers.flatMap(({ identity }) => (identity === null ? [] : [identity])),
      problem: 'That participant does not ask for this robot.',
    },
  );

const WHY: Readonly<Record<DriverChange, string>> = {
  taken: 'another drives the robot now',
  given: 'its driver gave the robot to another',
  taken_over: 'the robot was taken over',
  released: 'its driver released the robot',
  left: 'its driver left the room',
  silent: 'its driver was silent for too long',
};
const OWNER_ORDERED = 'the owner of the robot took it over';

/**
 * The end of an action whose caller does not drive any more.
 * @param driver the present driver; null for no one
 * @param by who ordered it, if neither of the two did
 */
export const droveNoMore = (why: DriverChange, driver: Driver | null, by?: string): RuntimeError =>
  advisedError(
    'NOT_CONTROLLER',
    `The action ended because ${by === BY_OWNER ? OWNER_ORDERED : WHY[why]}: ${driver ? `${saidDriver(driver)} drives` : 'nobody drives'} now.`,
    `Read the state, then ask for the robot with ${CONTROL_METHOD}.`,
    { ...(driver ? facts(driver) : { driver: null }), ...lostBy(why, by), retryable: false },
  );
