import { quoted, shownName } from '../../common/shown-text.ts';

/** A command that a person gives with the controls of the page. */
export interface HandMark {
  /**
   * Many short commands form one stroke, from the first push to the standstill; null for a single command. `number` is 1 for the
   * first.
   */
  stroke: { id: string; number: number } | null;
}

/** A part of the page that calls: the controls of a person, or an agent in the browser. */
export type PageMark = HandMark | 'agent';

/**
 * The caller that asked the robot for something. The origin of a call decides this, never a name: a participant of the room can
 * only be a participant or, with a valid signature, the holder of a grant.
 */
export type Caller =
  /** The robot's own page. @property agent set for an agent in its browser, which is another caller than the person there */
  | { kind: 'page'; hand?: HandMark; agent?: true }
  /** A participant of the room, unsigned. */
  | { kind: 'participant'; identity: string }
  /**
   * The signer of the call. @property carrier identity of the participant that delivered the call; any participant may deliver it
   */
  | { kind: 'holder'; holder: string; grantId: string; carrier: string }
  /**
   * The control service, on behalf of a holder of a key of the robot's account. @property name the service's words, `over HTTP`
   */
  | { kind: 'service'; name: string }
  /** The robot's own software. @property what in words: "the worker, which lost its room" */
  | { kind: 'robot'; what: string };

export const PAGE: Caller = { kind: 'page' };
const PAGE_AGENT: Caller = { kind: 'page', agent: true };

/** Returns the caller of an unsigned call. @param identity null for the robot's own page */
export function unsignedCaller(identity: string | null, mark?: PageMark): Caller {
  if (identity !== null) return { kind: 'participant', identity };
  if (mark === 'agent') return PAGE_AGENT;
  return mark ? { kind: 'page', hand: mark } : PAGE;
}

/** Returns a caller's name as the caller gave it, for records; two callers may have the same. */
export function callerName(caller: Caller): string {
  switch (caller.kind) {
    case 'page':
      return caller.agent ? "the agent at the robot's page" : "the robot's page";
    case 'participant':
      return caller.identity;
    case 'holder':
      return caller.holder;
    case 'service':
      return caller.name;
    case 'robot':
      return caller.what;
  }
}

/** Returns the name for sentences, quoted so that a name that others chose can neither change nor forge the words around it. */
export const saidCaller = (caller: Caller): string =>
  caller.kind === 'participant' || caller.kind === 'holder' || caller.kind === 'service'
    ? quoted(shownName(callerName(caller)))
    : callerName(caller);

/** Returns a key that is equal exactly for the same caller, whichever participant carries its calls. */
export const callerKey = (caller: Caller): string =>
  caller.kind === 'page' && !caller.agent ? caller.kind : `${caller.kind} ${callerName(caller)}`;

/**
 * Returns a key that is equal exactly for calls that one record can describe. Holders choose their names, so grant and carrier
 * distinguish holders of the same name. A holder that renews its grant gets another record, which does no harm.
 */
export const recordKey = (caller: Caller): string =>
  JSON.stringify([callerKey(caller), ...(caller.kind === 'holder' ? [caller.grantId, caller.carrier] : [])]);

/** Returns a caller's fields in a record of an action: its name, its kind, and the carrier of its signed calls. */
export const callerFields = (caller: Caller): { caller: string; caller_kind: Caller['kind']; carrier?: string } => ({
  caller: callerName(caller),
  caller_kind: caller.kind,
  ...(caller.kind === 'holder' ? { carrier: caller.carrier } : {}),
});

/** Returns a caller as the wire describes it: the identity, the holder and the carrier, or the part of the robot. */
export function callerOnWire(caller: Caller): Record<string, unknown> {
  if (caller.kind !== 'holder') return { ...caller };
  const { grantId, ...rest } = caller;
  return { ...rest, grant_id: grantId };
}
