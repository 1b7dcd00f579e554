import { type Caller, callerKey, PAGE } from '../../../protocol/wire/caller.ts';
import type { ActionView, ParticipantView } from '../../engine/types.ts';
import { runningSkills } from './motion.ts';
import { callerName, participantName } from './texts.ts';

/** The caller whose action moves the robot now. */
export interface RunningCaller {
  caller: Caller;
  name: string;
  action: ActionView;
}

/** Returns the caller of the running action, the first one if there are several; null while nothing runs. */
export function runningCallerOf(actions: readonly ActionView[], known: readonly ParticipantView[]): RunningCaller | null {
  const [action] = runningSkills(actions);
  return action ? { caller: action.caller, name: callerName(action.caller, known), action } : null;
}

/**
 * How a person's presence is known.
 * - `here`: the room reports it
 * - `left`: the room reported it before
 * - `calling`, `called`: only a running or ended call shows it, as for callers who stay for seconds or came before a reload
 * - `signed`: the signer of a call, which another participant may send
 * - `robot`: the robot's own software
 */
export type Presence = 'here' | 'left' | 'calling' | 'called' | 'signed' | 'robot';

/** A person who is in the room or has called from it, with their last action. */
export interface Person {
  id: string;
  name: string;
  isSelf: boolean;
  /** Null for a person who is not in the room. */
  joinedAtMs: number | null;
  presence: Presence;
  last: ActionView | null;
}

function presenceOf({ kind }: Caller, last: ActionView | null): Presence {
  if (kind === 'holder') return 'signed';
  if (kind === 'robot') return 'robot';
  return last?.status === 'running' ? 'calling' : 'called';
}

/**
 * Returns the participants in the room, followed by callers who are not there.
 * @param actions newest first
 * @param known all participants who are or were in the room
 */
export function peopleOf(actions: readonly ActionView[], known: readonly ParticipantView[]): readonly Person[] {
  const participants = known.filter(({ hasLeft }) => !hasLeft);
  const lastOf = (key: string) => actions.find(({ caller }) => callerKey(caller) === key) ?? null;
  const keyOf = (identity: string): string => callerKey({ kind: 'participant', identity });
  const present = participants.map(({ identity, isSelf, joinedAtMs }) => ({
    id: identity,
    name: participantName(identity, known),
    isSelf,
    joinedAtMs,
    presence: 'here' as const,
    // Calls from this page have a caller name of their own.
    last: lastOf(isSelf ? callerKey(PAGE) : keyOf(identity)),
  }));
  const here = new Set([callerKey(PAGE), ...participants.map(({ identity }) => keyOf(identity))]);
  const others = new Map(actions.map(({ caller }) => [callerKey(caller), caller]));
  const elsewhere = [...others].filter(([key]) => !here.has(key));
  return [
    ...present,
    ...elsewhere.map(([id, caller]) => {
      const person = known.find(({ identity }) => keyOf(identity) === id);
      const name = person ? participantName(person.identity, known) : callerName(caller, known);
      const last = lastOf(id);
      return { id, name, isSelf: false, joinedAtMs: null, presence: person ? 'left' : presenceOf(caller, last), last };
    }),
  ];
}
