import { TokenVerifier } from 'livekit-server-sdk';
import type { Caller } from '../control-service/accounts.ts';
import type { ServiceDeps } from '../control-service/deps.ts';
import { createParticipantToken, openSession } from '../control-service/operations/sessions.ts';
import { robotOfRuntime } from '../control-service/tokens.ts';
import { ROOM_KEY_DEFAULT_TTL_S } from '../protocol/limits.ts';
import { encodeRoomKey } from '../protocol/room-key.ts';

/** The local platform's robot, as whoever was in its room may come back to it. */
export interface OwnRobot {
  deps: ServiceDeps;
  caller: Caller;
  robotId: string;
  /** With which the SFU of this platform checks its tokens. */
  sfuKey: { apiKey: string; apiSecret: string };
}

/** It was signed on this machine, by this clock. */
const CLOCK_TOLERANCE_S = 0;

/**
 * A new room key for the runtime that an earlier token was for, when the session of that token has ended: the session is opened again for it.
 * The token itself shows that its holder may be the robot: it is signed by this platform, good still, and for this robot's runtime.
 * @param sfuUrl where its page reaches the SFU; without it, where programs of this machine do
 * @returns null for any other token
 */
export async function keyToComeBack(own: OwnRobot, token: string, sfuUrl?: string): Promise<string | null> {
  const { deps, caller, robotId, sfuKey } = own;
  const identity = await identityIn(token, robotId, sfuKey);
  if (identity === null) return null;
  await openSession(deps, caller, robotId, { worker_names: [] });
  const place = await createParticipantToken(deps, caller, robotId, {
    participant_identity: identity,
    ttl_seconds: ROOM_KEY_DEFAULT_TTL_S,
  });
  return encodeRoomKey({ sfuUrl: sfuUrl ?? place.sfuUrl, token: place.token });
}

async function identityIn(token: string, robotId: string, { apiKey, apiSecret }: OwnRobot['sfuKey']): Promise<string | null> {
  const claims = await new TokenVerifier(apiKey, apiSecret).verify(token, CLOCK_TOLERANCE_S).catch(() => null);
  const identity = claims?.sub ?? '';
  // The service gives an identity of its runtime for rooms of this robot alone.
  return robotOfRuntime(identity) === robotId ? identity : null;
}
