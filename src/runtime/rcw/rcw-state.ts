import { type BodyLink, createBodyLink } from './body-link.ts';
import { createHeldVelocity, type HeldVelocity } from './held-velocity.ts';
import { createTakenPackets, type TakenPackets } from './taken-packets.ts';
import { createUpperBody, type UpperBody } from './upper-body-state.ts';

/** The state that only the physical robot's contract needs, between two steps. */
export interface RcwState {
  /** Whether calls that move the body are refused unless they are signed. */
  readonly signedOnly: boolean;
  /** Whether signed poses may come as packets too. */
  readonly takesPosePackets: boolean;
  readonly bodyLink: BodyLink;
  readonly upperBody: UpperBody;
  heldVelocity: HeldVelocity;
  /** Recently accepted pose packets, by action id. */
  readonly packets: TakenPackets;
}

/** Returns the state of the physical contract at the start. @param signedOnly whether calls must be signed */
export const createRcwState = (signedOnly: boolean, takesPosePackets = false): RcwState => ({
  signedOnly,
  takesPosePackets,
  bodyLink: createBodyLink(),
  upperBody: createUpperBody(),
  heldVelocity: createHeldVelocity(),
  packets: createTakenPackets(),
});
