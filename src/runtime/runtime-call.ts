import type { HandMark } from '../protocol/caller.ts';
import type { SignedBy } from './calls/tools-call.ts';

/** One incoming RPC. */
export interface RuntimeCall {
  requestId: string;
  /** Full name: "runtime.state". */
  method: string;
  payload: string;
  /** Identity of the participant who brought it; null for the robot's own page, which is not a participant of the room. */
  callerIdentity: string | null;
  /** Set by the page for a command by hand. */
  hand?: HandMark | undefined;
  /** Milliseconds since the epoch, on a clock that nobody sets. */
  nowMs: number;
  /** The signer of a call that came in an envelope; see host/signed-desk.ts. */
  signedBy?: SignedBy | undefined;
}
