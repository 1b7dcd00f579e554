import type { RuntimeProfile } from '../../protocol/profile.ts';
import { encodeRoomKey, TAKE_OVER_FIELD } from '../../protocol/room-key.ts';

/**
 * A link that a phone in the network opens. The key stands in the fragment, which browsers send to no server.
 * @param pageUrl where phones reach the page, `https://…`; the room is reached through the same port
 * @param takeOver whether the phone takes the robot over from whoever holds it, without asking a person
 */
export function phoneLink(pageUrl: string, token: string, profile: RuntimeProfile = 'simulator', takeOver = false): string {
  const query = profile === 'simulator' ? '' : `?profile=${profile}`;
  const asked = takeOver ? `&${TAKE_OVER_FIELD}=1` : '';
  return `${pageUrl}/${query}#key=${encodeRoomKey({ sfuUrl: roomUrlOf(pageUrl), token })}${asked}`;
}

/** Where the room is reached through the port of a page: `wss://…`. */
export const roomUrlOf = (pageUrl: string): string => pageUrl.replace(/^http/, 'ws');
