import { actionResultSchema, guardSchema } from '../../../protocol/wire/action.ts';
import type { Caller } from '../../../protocol/wire/caller.ts';
import type { RuntimeError } from '../../../protocol/wire/error-codes.ts';
import { skillSpecOf } from '../../../protocol/wire/skills.ts';
import type { ActionView, ParticipantView, ViewerState } from '../../engine/types.ts';
import { ownHand } from '../common/own-hand.ts';
import { robotWordsOf } from '../common/robot-words.ts';
import { actionTitle, beginning, callerName } from '../common/texts.ts';

/** The meaning of a reply to one drive command for the person at the joystick. */
export type DriveAnswer =
  /** Success; `blockedBy` names the obstacle that the robot pressed against. */
  | { kind: 'fine'; blockedBy: string | null }
  /** A caller stopped the robot. A command that was just renewed must stop too. */
  | { kind: 'stopped'; text: string }
  /** Another caller has the robot, or no one may drive it. Held input is not sent any more. */
  | { kind: 'refused'; text: string };

/** The state from which the names of the other callers are read. */
interface Others {
  actions: readonly ActionView[];
  known: readonly ParticipantView[];
  robotKind: ViewerState['robotKind'];
}

/** Reads any reply of `set_velocity`. */
export function readDriveReply(reply: unknown, others: Others): DriveAnswer {
  const result = actionResultSchema.safeParse(reply);
  if (result.success && result.data.status === 'done') {
    const blockedBy = result.data.result?.blocked_by;
    return { kind: 'fine', blockedBy: typeof blockedBy === 'string' ? blockedBy : null };
  }
  const error = result.data?.error ?? guardSchema.safeParse(reply).data?.error;
  if (!error) return { kind: 'refused', text: 'The robot gave an answer that this page cannot read. Reload the page.' };
  if (error.code === 'CANCELLED') return readCancelled(error, others);
  if (error.code === 'BUSY') return { kind: 'refused', text: busyText(error, others) };
  return { kind: 'refused', text: error.message };
}

function readCancelled({ details }: RuntimeError, { actions, known }: Others): DriveAnswer {
  const by = details.superseded_by;
  if (typeof by === 'string') {
    if (ownHand(details.superseder)) return { kind: 'fine', blockedBy: null };
    const other = actions.find(({ actionId }) => actionId === by);
    const who = other ? callerName(other.caller, known) : 'Another client';
    return { kind: 'refused', text: drivesNowText(who) };
  }
  const canceller = details.canceller as Caller | undefined;
  const isOther = canceller !== undefined && canceller.kind !== 'page';
  const stopped = isOther ? `${beginning(callerName(canceller, known))} stopped the robot.` : 'The robot was stopped.';
  return { kind: 'stopped', text: `${stopped} Let go and press again to drive on.` };
}

function busyText({ details, message }: RuntimeError, { actions, known, robotKind }: Others): string {
  const active = details.active_action as { action_id?: unknown } | undefined;
  const other = actions.find(({ actionId }) => actionId === active?.action_id);
  if (!other) return message;
  const who = beginning(callerName(other.caller, known));
  const robot = robotWordsOf({ robotKind });
  return `${who} is using the ${robot.feet}: ${actionTitle(other, robot)}. Wait until that has ended, or stop it.`;
}

const drivesNowText = (who: string): string => `${beginning(who)} drives now. Let go and press again to take the robot back.`;

/** Returns the ids of other callers' running actions on the legs. */
export const idsElsewhere = ({ actions }: Pick<Others, 'actions'>): ReadonlySet<string> =>
  new Set(actions.filter(isElsewhere).map(({ actionId }) => actionId));

/**
 * Returns a sentence on who has moved the legs since a time; null if no one has. @param before the running actions of others at
 * that time
 */
export function newDriverText({ actions, known }: Pick<Others, 'actions' | 'known'>, before: ReadonlySet<string>): string | null {
  const other = actions.find((action) => isElsewhere(action) && !before.has(action.actionId));
  return other ? drivesNowText(callerName(other.caller, known)) : null;
}

const isElsewhere = ({ status, name, caller }: ActionView): boolean =>
  status === 'running' && skillSpecOf(name)?.uses.includes('base') === true && ownHand(caller) === null;

/** Names another caller's running action on the legs, and the effect of driving on it; null without one. */
export function otherDriverText({ actions, known, robotKind }: Others): string | null {
  const other = actions.find(isElsewhere);
  if (!other) return null;
  const who = beginning(callerName(other.caller, known));
  const givesWay = skillSpecOf(other.name)?.givesWayToDriving === true;
  const follows = givesWay ? 'Driving takes over from it.' : 'The robot can be driven when that has ended.';
  return `${who} moves the robot: ${actionTitle(other, robotWordsOf({ robotKind }))}. ${follows}`;
}
