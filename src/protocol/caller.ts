import { quoted, shownName } from './shown-text.ts';

/** A command that a person gives with the hand on the page's controls. */
export interface HandMark {
  /** Many short commands are one stroke, from the first push to the standstill; null for a command that stands alone. `number` is 1 for the first. */
  stroke: { id: string; number: number } | null;
}

/**
 * Who asked the robot for something. It is told by where a call came from, never by a name: no participant of the room can be anything
 * but a participant or, with a signature that holds, the holder of a grant.
 */
export type Caller =
  /** The robot's own page. */
  | { kind: 'page'; hand?: HandMark }
  /** A participant of the room, unsigned. */
  | { kind: 'participant'; identity: string }
  /** Whoever signed the call. @property carrier identity of the participant who brought it, which may be anybody */
  | { kind: 'holder'; holder: string; grantId: string; carrier: string }
  /** The robot's own software. @property what in words: "the worker, which lost its room" */
  | { kind: 'robot'; what: string };

export const PAGE: Caller = { kind: 'page' };

/** Who calls unsigned. @param identity null for the robot's own page */
export function unsignedCaller(identity: string | null, hand?: HandMark): Caller {
  if (identity !== null) return { kind: 'participant', identity };
  return hand ? { kind: 'page', hand } : PAGE;
}

/** The name of a caller as it gave it, for records; two callers may have the same. */
export function callerName(caller: Caller): string {
  switch (caller.kind) {
    case 'page':
      return "the robot's page";
    case 'participant':
      return caller.identity;
    case 'holder':
      return caller.holder;
    case 'robot':
      return caller.what;
  }
}

/** The same for sentences: a name that others chose neither changes nor forges words of ours. */
export const saidCaller = (caller: Caller): string =>
  caller.kind === 'participant' || caller.kind === 'holder' ? quoted(shownName(callerName(caller))) : callerName(caller);

/** Equal exactly for the same caller, whoever carries its calls. */
export const callerKey = (caller: Caller): string =>
  caller.kind === 'page' ? caller.kind : `${caller.kind} ${callerName(caller)}`;

/**
 * Equal exactly for calls that one record can tell of. Holders choose their names, so those of one name are told apart by grant and carrier;
 * one who renews its grant has another record, which does no harm.
 */
export const recordKey = (caller: Caller): string =>
  JSON.stringify([callerKey(caller), ...(caller.kind === 'holder' ? [caller.grantId, caller.carrier] : [])]);

/** A caller in a record of an action: its name, what kind it is, and who carried its signed calls. */
export const callerFields = (caller: Caller): { caller: string; caller_kind: Caller['kind']; carrier?: string } => ({
  caller: callerName(caller),
  caller_kind: caller.kind,
  ...(caller.kind === 'holder' ? { carrier: caller.carrier } : {}),
});

/** A caller as the wire tells of it: the identity, the holder and the carrier, or what of the robot it was. */
export function callerOnWire(caller: Caller): Record<string, unknown> {
  if (caller.kind !== 'holder') return { ...caller };
  const { grantId, ...rest } = caller;
  return { ...rest, grant_id: grantId };
}
