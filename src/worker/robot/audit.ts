import { type Caller, callerFields, recordKey } from '../../protocol/wire/caller.ts';
import type { AcceptedAction, CancelledAction } from '../../runtime/action-record.ts';
import type { Log } from '../log.ts';

/** A joystick program commands fifty times a second: its repeats within this time are one line. */
const ONE_LINE_MS = 10_000;
/** How many callers are distinguished; beyond this number the earliest one is logged again. */
const REMEMBERED_MAX = 256;

/** A record of the callers that commanded the robot or cancelled actions. */
export interface Audit {
  /** An action was accepted. */
  commanded(accepted: AcceptedAction): void;
  /** A cancel asked an action to stop. */
  cancelled(cancelled: CancelledAction): void;
}

/**
 * Records the callers that commanded the robot. The first command of a caller and skill gets a line, and then each ten seconds of
 * them get one, with the number since the previous line. Cancels have their own lines. No line contains the content of a call.
 */
export function createAudit(log: Log): Audit {
  const reported = new Map<string, { atMs: number; since: number }>();

  function logAction(event: string, name: string, actionId: string, caller: Caller, atMs: number): void {
    const key = JSON.stringify([event, recordKey(caller), name]);
    const known = reported.get(key);
    if (known && atMs - known.atMs < ONE_LINE_MS) {
      known.since += 1;
      return;
    }
    reported.delete(key);
    const [oldest] = reported.keys();
    if (reported.size >= REMEMBERED_MAX && oldest !== undefined) reported.delete(oldest);
    reported.set(key, { atMs, since: 0 });
    log({
      level: 'info',
      event,
      skill: name,
      action_id: plain(actionId),
      ...named(callerFields(caller)),
      ...(caller.kind === 'holder' ? { grant_id: plain(caller.grantId) } : {}),
      ...(known && known.since > 0 ? { more_before: known.since } : {}),
    });
  }

  return {
    commanded: ({ name, actionId, caller, startedAtMs }) => logAction('robot_commanded', name, actionId, caller, startedAtMs),
    cancelled: ({ name, actionId, by, atMs }) => logAction('robot_cancelled', name, actionId, by, atMs),
  };
}

/** Other people choose names, and a log for people has one line per entry. */
const plain = (text: string): string => text.replace(/\p{C}/gu, '�').slice(0, 256);

const named = (fields: ReturnType<typeof callerFields>) => ({
  ...fields,
  caller: plain(fields.caller),
  ...(fields.carrier === undefined ? {} : { carrier: plain(fields.carrier) }),
});
