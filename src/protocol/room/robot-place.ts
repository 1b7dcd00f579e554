import type { RoomKey } from './room-key.ts';

type Server = Pick<RoomKey, 'sfuUrl'>;

/**
 * Returns the address of a key's media server in one spelling: protocol, host, port and path. A page connects to exactly this
 * address, so a record under it belongs to the server that accepted the key, whatever the unverified token claims.
 */
function addressOf({ sfuUrl }: Server): string {
  const read = ADDRESS.exec(sfuUrl);
  if (!read) return sfuUrl;
  const [, scheme = '', host = '', port, path = ''] = read;
  const usual = USUAL_PORT[scheme.toLowerCase()];
  const shown = port === undefined || Number(port) === usual ? '' : `:${Number(port)}`;
  return `${scheme.toLowerCase()}://${lowerAscii(host)}${shown}${path.replace(/(?<!\/)\/+$/, '')}`;
}

/** Other letters stay: in lower case two hosts of other scripts may look like one. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** As `readRoomKey` accepts it. A different spelling that this does not unify has a record of its own. */
const ADDRESS = /^(wss?):\/\/(\[[0-9a-f:]+\]|[^/:?#@\s]+)(?::(\d+))?([^?#]*)/i;
const USUAL_PORT: Record<string, number> = { ws: 80, wss: 443 };

/** Returns a name for a key's room that is unique across media servers. */
export const roomOf = (key: Server & Pick<RoomKey, 'room'>): string => `${addressOf(key)} ${key.room}`;

/** Returns the place of a key: a room, and the robot's identity in it, because two runtimes in one room have separate worlds. */
export const placeOf = (key: Server & Pick<RoomKey, 'room' | 'identity'>): string => `${roomOf(key)}/${key.identity}`;

/** Returns the name of a key's robot, the same in every session of its platform. */
export const robotOf = (key: Server & Pick<RoomKey, 'identity'>): string => `${addressOf(key)} ${key.identity}`;
