import { encodeRoomKey, TAKE_OVER_FIELD } from '../../protocol/room/room-key.ts';
import type { RuntimeProfile } from '../../protocol/wire/profile.ts';

/**
 * Returns a link that a phone in the network opens. The key is in the fragment, which browsers never send to a server.
 * @param pageUrl where phones reach the page, `https://…`; the room is reached through the same port
 * @param takeOver whether the phone takes the robot over from its holder without asking a person
 */
export function phoneLink(pageUrl: string, token: string, profile: RuntimeProfile = 'simulator', takeOver = false): string {
  const query = profile === 'simulator' ? '' : `?profile=${profile}`;
  const asked = takeOver ? `&${TAKE_OVER_FIELD}=1` : '';
  return `${pageUrl}/${query}#key=${encodeRoomKey({ sfuUrl: roomUrlOf(pageUrl), token })}${asked}`;
}

/** The address of the room through the port of a page: `wss://…`. */
export const roomUrlOf = (pageUrl: string): string => pageUrl.replace(/^http/, 'ws');
