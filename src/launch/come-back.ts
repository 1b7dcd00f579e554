import type { Caller } from '../control-service/caller.ts';
import type { ServiceDeps } from '../control-service/deps.ts';
import { createParticipantToken, openSession } from '../control-service/operations/sessions.ts';
import { readParticipantToken, robotOfRuntime } from '../control-service/tokens.ts';
import { encodeRoomKey } from '../protocol/room/room-key.ts';
import { ROOM_KEY_DEFAULT_TTL_S } from '../protocol/wire/limits.ts';

/** The local platform's robot, to which an earlier participant of its room may return. */
export interface OwnRobot {
  deps: ServiceDeps;
  caller: Caller;
  robotId: string;
  /** The keys with which the SFU of this platform checks its tokens. */
  sfuKey: { apiKey: string; apiSecret: string };
}

/**
 * Returns a new room key for the runtime of an earlier token if the session of that token has ended: the session is opened again
 * for it. The token itself shows that its holder may be the robot: it is signed by this platform, still valid, and issued for
 * this robot's runtime.
 * @param lanRoomUrl the address at which a phone reaches the SFU. The phone's key ends when the earlier one does, so a leaked
 * link cannot be prolonged by returning often. Without this address, the key is for a page of this machine and lives as long as
 * any.
 * @returns null for any other token
 */
export async function keyToComeBack(own: OwnRobot, token: string, lanRoomUrl?: string): Promise<string | null> {
  const { deps, caller, robotId, sfuKey } = own;
  // One time for all: otherwise elapsed time would be added, and repeated returns would prolong the key.
  const nowMs = deps.clock.nowMs();
  const earlier = await readParticipantToken(sfuKey, token, nowMs);
  // The service gives an identity of its runtime only for rooms of this robot. A token that the SFU issued lasts beyond the
  // platform's own, so with it a link would stay valid forever.
  if (earlier === null || earlier.kind !== null || robotOfRuntime(earlier.identity) !== robotId) return null;
  await openSession(deps, caller, robotId, { worker_names: [] });
  const place = await createParticipantToken({ ...deps, clock: { ...deps.clock, nowMs: () => nowMs } }, caller, robotId, {
    participant_identity: earlier.identity,
    ttl_seconds: lanRoomUrl === undefined ? ROOM_KEY_DEFAULT_TTL_S : earlier.endsAtS - Math.floor(nowMs / 1000),
  });
  return encodeRoomKey({ sfuUrl: lanRoomUrl ?? place.sfuUrl, token: place.token });
}
