import type { RuntimeProfile } from '../../protocol/profile.ts';
import { encodeRoomKey } from '../../protocol/room-key.ts';

/**
 * A link that a phone in the network opens. The key stands in the fragment, which browsers send to no server.
 * @param pageUrl where phones reach the page, `https://…`; the room is reached through the same port
 */
export function phoneLink(pageUrl: string, token: string, profile: RuntimeProfile = 'simulator'): string {
  const query = profile === 'simulator' ? '' : `?profile=${profile}`;
  return `${pageUrl}/${query}#key=${encodeRoomKey({ sfuUrl: roomUrlOf(pageUrl), token })}`;
}

/** Where the room is reached through the port of a page: `wss://…`. */
export const roomUrlOf = (pageUrl: string): string => pageUrl.replace(/^http/, 'ws');
