import { COME_BACK_PATH } from '../../protocol/come-back.ts';
import { isIpv4, isLoopback } from '../../protocol/room-key.ts';

/** `npm start` answers at this machine and, for phones, at its bare address over https; nobody else gives keys to come back. */
export const isLocalPlatform = ({ hostname, protocol }: Pick<Location, 'hostname' | 'protocol'>): boolean =>
  isLoopback(hostname) || (protocol === 'https:' && isIpv4(hostname));

/** A new room key from the platform of this page for a session that has ended, or null. Never rejects. */
export async function askToComeBack(token: string): Promise<string | null> {
  try {
    const answer = await fetch(COME_BACK_PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const { room_key: key } = (await answer.json()) as { room_key?: unknown };
    return answer.ok && typeof key === 'string' ? key : null;
  } catch {
    return null;
  }
}
