import { callerFields, callerKey } from '../../protocol/caller.ts';
import type { AcceptedAction } from '../../runtime/action-record.ts';
import type { Log } from '../log.ts';

/** A program at a stick commands fifty times a second: what it repeats within this time is one line. */
const ONE_LINE_MS = 10_000;
/** Callers that are kept apart; beyond it the one that was heard of first is told anew. */
const REMEMBERED_MAX = 256;

/**
 * Writes down who commanded the robot: a line for the first command of a caller and skill, and one for each further ten seconds of them,
 * with how many came since the line before. No line has what a call carried.
 * @returns takes each action as it is accepted
 */
export function createAudit(log: Log): (accepted: AcceptedAction) => void {
  const told = new Map<string, { atMs: number; since: number }>();

  return ({ name, actionId, caller, startedAtMs }) => {
    const key = JSON.stringify([callerKey(caller), name]);
    const known = told.get(key);
    if (known && startedAtMs - known.atMs < ONE_LINE_MS) {
      known.since += 1;
      return;
    }
    told.delete(key);
    const [oldest] = told.keys();
    if (told.size >= REMEMBERED_MAX && oldest !== undefined) told.delete(oldest);
    told.set(key, { atMs: startedAtMs, since: 0 });
    log({
      level: 'info',
      event: 'robot_commanded',
      skill: name,
      action_id: plain(actionId),
      ...named(callerFields(caller)),
      ...(caller.kind === 'holder' ? { grant_id: plain(caller.grantId) } : {}),
      ...(known && known.since > 0 ? { more_before: known.since } : {}),
    });
  };
}

/** Names are of others' choice, and a log for people has a line for each entry. */
const plain = (text: string): string => text.replace(/\p{C}/gu, '�').slice(0, 256);

const named = (fields: ReturnType<typeof callerFields>) => ({
  ...fields,
  caller: plain(fields.caller),
  ...(fields.carrier === undefined ? {} : { carrier: plain(fields.carrier) }),
});
