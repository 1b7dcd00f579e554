import { type Caller, callerKey, PAGE } from '../../../protocol/caller.ts';
import type { ActionView, ParticipantView } from '../../engine/types.ts';
import { runningSkills } from './motion.ts';
import { callerName, participantName } from './words.ts';

/** Who has the robot moving now. */
export interface Driver {
  caller: Caller;
  name: string;
  action: ActionView;
}

/** The caller of what runs, the first one where several things do; null while nothing runs. */
export function driverOf(actions: readonly ActionView[], participants: readonly ParticipantView[]): Driver | null {
  const [action] = runningSkills(actions);
  return action ? { caller: action.caller, name: callerName(action.caller, participants), action } : null;
}

/** Somebody who is in the room or has called from it, with what they did last. */
export interface Person {
  id: string;
  name: string;
  isSelf: boolean;
  /** Null for one who has left. */
  joinedAtMs: number | null;
  last: ActionView | null;
}

/**
 * Everybody in the room, and then those who called and have left since.
 * @param actions newest first
 */
export function peopleOf(actions: readonly ActionView[], participants: readonly ParticipantView[]): readonly Person[] {
  const lastOf = (key: string) => actions.find(({ caller }) => callerKey(caller) === key) ?? null;
  const keyOf = (identity: string): string => callerKey({ kind: 'participant', identity });
  const present = participants.map(({ identity, isSelf, joinedAtMs }) => ({
    id: identity,
    name: participantName(identity, participants),
    isSelf,
    joinedAtMs,
    // What is called from this page is done under a name of its own.
    last: lastOf(isSelf ? callerKey(PAGE) : keyOf(identity)),
  }));
  const known = new Set([callerKey(PAGE), ...participants.map(({ identity }) => keyOf(identity))]);
  const others = new Map(actions.map(({ caller }) => [callerKey(caller), caller]));
  const elsewhere = [...others].filter(([key]) => !known.has(key));
  return [
    ...present,
    ...elsewhere.map(([id, caller]) => ({ id, name: callerName(caller, []), isSelf: false, joinedAtMs: null, last: lastOf(id) })),
  ];
}
