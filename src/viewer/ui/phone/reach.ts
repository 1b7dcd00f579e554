import { encodeRoomKey, isIpv4, isLoopback, type RoomKey } from '../../../protocol/room/room-key.ts';
import type { LanPlace } from '../../../protocol/service/lan.ts';

const CONTRACT_PARAMETERS = ['profile', 'signed'];

/** Returns the link that opens this tab's robot elsewhere. The key is in the fragment, which browsers send to no server. */
export function linkWithKey(pageHref: string, key: string): string {
  const { origin, pathname, searchParams } = new URL(pageHref);
  // The link includes the robot's contract; otherwise it would open another robot.
  const kept = CONTRACT_PARAMETERS.flatMap((name) => searchParams.getAll(name).map((value) => [name, value]));
  const query = kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
  return `${origin}${pathname}${query}#key=${key}`;
}

/** How a phone can reach this tab's robot, or why it cannot. */
export type PhoneWay =
  | {
      kind: 'link';
      link: string;
      /** Origin of the page that the phone opens. */
      origin: string;
      /** Whether the phone's browser will show a warning, because the machine at that address has made its own certificate. */
      hasOwnCertificate: boolean;
      /** Fingerprint of that certificate; null if this page does not know it. */
      fingerprint: string | null;
    }
  | {
      kind: 'none';
      /** One or a few sentences. */
      problem: string;
      /** Whether the platform of this page can serve phones when it is started with that option. */
      isStartable: boolean;
    };

/**
 * Returns how a phone opens the robot of this tab. A link that is known to fail is never returned.
 * @param lan the local platform's answer about phones; null if this page has no such platform, or it serves only its own machine
 */
export function phoneWay(pageHref: string, key: Pick<RoomKey, 'sfuUrl' | 'token'>, lan: LanPlace | null): PhoneWay {
  const here = new URL(pageHref);
  const isLed = lan !== null && isLoopback(here.hostname);
  const page = isLed ? new URL(here.pathname + here.search, lan.page_url) : here;
  const sfuUrl = isLed && lan.local_room_url === key.sfuUrl ? lan.room_url : key.sfuUrl;
  if (isLoopback(page.hostname)) {
    return {
      kind: 'none',
      problem: `A phone cannot reach ${page.host}: to it, that address is the phone itself.`,
      isStartable: true,
    };
  }
  const problem = problemOf(page, new URL(sfuUrl));
  if (problem !== null) return { kind: 'none', problem, isStartable: false };
  return {
    kind: 'link',
    link: linkWithKey(page.href, encodeRoomKey({ sfuUrl, token: key.token })),
    origin: page.origin,
    // Only the local platform makes certificates for numeric addresses.
    hasOwnCertificate: isIpv4(page.hostname),
    fingerprint: isLed ? lan.fingerprint : null,
  };
}

/** Returns why a phone cannot use a page that it reaches, or its room. */
function problemOf(page: URL, sfu: URL): string | null {
  if (page.protocol === 'http:')
    return 'This page came unencrypted. A phone then blocks what a robot needs to answer calls. Serve the page over https, and open that one here first.';
  if (isLoopback(sfu.hostname))
    return `The key leads to a room at ${sfu.host}, which is on this machine. A phone needs a key with an address in your network.`;
  if (sfu.protocol === 'ws:')
    return `The key leads to a room at ${sfu.host}, which is not encrypted. A phone needs a key with a wss: address.`;
  return null;
}
