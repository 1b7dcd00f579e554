import type { Caller, PageMark } from '../protocol/wire/caller.ts';

/** The signer of a call. */
export interface SignedBy {
  holder: string;
  grantId: string;
}

/** A call as it reached the runtime. */
export interface Call {
  caller: Caller;
  /** The caller's name in the room; null where it is unknown, or where another participant carries the call. */
  callerName: string | null;
  payload: unknown;
  /** Whether it came in a signed envelope. */
  isSigned: boolean;
}
export type Reply = (text: string) => void;

/** One incoming RPC. */
export interface RuntimeCall {
  requestId: string;
  /** Full name: "runtime.state". */
  method: string;
  payload: string;
  /** Identity of the participant who brought it; null for the robot's own page, which is not a participant of the room. */
  callerIdentity: string | null;
  /** The name of that participant in the room. @default unknown */
  callerName?: string | null | undefined;
  /** The part of the page that calls. @default the page as a whole */
  mark?: PageMark | undefined;
  /** Milliseconds since the epoch, on a clock that is never set. */
  nowMs: number;
  /** The signer of a call that arrived in an envelope, set by the signed-call host. */
  signedBy?: SignedBy | undefined;
}
