import { encodeRoomKey, readRoomKey } from '../../protocol/room/room-key.ts';
import type { Place } from '../robot-messages.ts';

/**
 * Returns the place with a token that the SFU has issued to a participant, if the token opens the same place for longer than the
 * present one; otherwise null. A server issues these while a participant is in the room, so that a rejoin needs no new link.
 */
export function lengthened(place: Place, token: string, nowMs: number): Place | null {
  const [present, renewed] = [place.token, token].map((one) =>
    readRoomKey(encodeRoomKey({ sfuUrl: place.sfuUrl, token: one }), { nowMs, pageProtocol: 'http:' }),
  );
  if (!renewed?.ok || renewed.key.room !== place.room || renewed.key.robotId !== place.robotId) return null;
  // An expired present token opens nothing.
  const untilMs = present?.ok ? present.key.expiresAtMs : nowMs;
  return renewed.key.expiresAtMs > untilMs ? { ...place, token } : null;
}
