import type { Caller } from '../control-service/accounts.ts';
import type { ServiceDeps } from '../control-service/deps.ts';
import { createParticipantToken, openSession } from '../control-service/operations/sessions.ts';
import { readParticipantToken, robotOfRuntime } from '../control-service/tokens.ts';
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

/**
 * A new room key for the runtime that an earlier token was for, when the session of that token has ended: the session is opened again for it.
 * The token itself shows that its holder may be the robot: it is signed by this platform, good still, and for this robot's runtime.
 * @param lanRoomUrl where a phone reaches the SFU. Its key ends when the earlier one does: a link that came into other hands is not good for
 *   ever, however often they come back. Without, the key is for a page of this machine and lives as long as any.
 * @returns null for any other token
 */
export async function keyToComeBack(own: OwnRobot, token: string, lanRoomUrl?: string): Promise<string | null> {
  const { deps, caller, robotId, sfuKey } = own;
  // One moment for all: time that went by on the way would come on top, and those who come back at once again would live on it.
  const nowMs = deps.clock.nowMs();
  const earlier = await readParticipantToken(sfuKey, token, nowMs);
  // The service gives an identity of its runtime for rooms of this robot alone.
  if (earlier === null || robotOfRuntime(earlier.identity) !== robotId) return null;
  await openSession(deps, caller, robotId, { worker_names: [] });
  const place = await createParticipantToken({ ...deps, clock: { ...deps.clock, nowMs: () => nowMs } }, caller, robotId, {
    participant_identity: earlier.identity,
    ttl_seconds: lanRoomUrl === undefined ? ROOM_KEY_DEFAULT_TTL_S : earlier.endsAtS - Math.floor(nowMs / 1000),
  });
  return encodeRoomKey({ sfuUrl: lanRoomUrl ?? place.sfuUrl, token: place.token });
}
