import { isIpv4, isLoopback } from '../../protocol/room/room-key.ts';
import { COME_BACK_PATH } from '../../protocol/service/come-back.ts';
import { postOwn } from './own-server.ts';

/**
 * Whether the page comes from a local platform. `npm start` answers on this machine and, for phones, at its plain address over
 * https. No other server issues new keys.
 */
export const isLocalPlatform = ({ hostname, protocol }: Pick<Location, 'hostname' | 'protocol'>): boolean =>
  isLoopback(hostname) || (protocol === 'https:' && isIpv4(hostname));

/** Asks this page's platform for a new room key after a session has ended. Resolves with null if there is none; never rejects. */
export async function askToComeBack(token: string): Promise<string | null> {
  try {
    const answer = await postOwn(COME_BACK_PATH, { token });
    const { room_key: key } = (await answer.json()) as { room_key?: unknown };
    return answer.ok && typeof key === 'string' ? key : null;
  } catch {
    return null;
  }
}
