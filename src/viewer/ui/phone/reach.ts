import type { LanPlace } from '../../../protocol/lan.ts';
import { encodeRoomKey, isIpv4, isLoopback, type RoomKey } from '../../../protocol/room-key.ts';

const CONTRACT_PARAMETERS = ['profile', 'signed'];

/** The link that opens this tab's robot elsewhere. The key stands in the fragment, which browsers send to no server. */
export function linkWithKey(pageHref: string, key: string): string {
  const { origin, pathname, searchParams } = new URL(pageHref);
  // Which contract the robot keeps goes with it; else the link would open another robot.
  const kept = CONTRACT_PARAMETERS.flatMap((name) => searchParams.getAll(name).map((value) => [name, value]));
  const query = kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
  return `${origin}${pathname}${query}#key=${key}`;
}

/** How a phone gets to this tab's robot, or what keeps it away. */
export type PhoneWay =
  | {
      kind: 'link';
      link: string;
      /** Of the page that the phone opens. */
      origin: string;
      /** Whether its browser will warn: the machine at that address has made its certificate itself. */
      hasOwnCertificate: boolean;
      /** Of that certificate; null when this page does not know it. */
      fingerprint: string | null;
    }
  | {
      kind: 'none';
      /** A sentence, or a few. */
      problem: string;
      /** Whether the platform of this page serves phones when it is started so. */
      isStartable: boolean;
    };

/**
 * How a phone opens the robot of this tab. No link is given that is known not to work.
 * @param lan what the local platform says of phones; null when this page has none, or it serves its machine alone
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
    // Nobody else gives certificates for bare addresses.
    hasOwnCertificate: isIpv4(page.hostname),
    fingerprint: isLed ? lan.fingerprint : null,
  };
}

/** What keeps a phone from a page that it reaches, or from its room. */
function problemOf(page: URL, sfu: URL): string | null {
  if (page.protocol === 'http:')
    return 'This page came unencrypted. A phone then blocks what a robot needs to answer calls. Serve the page over https, and open that one here first.';
  if (isLoopback(sfu.hostname))
    return `The key leads to a room at ${sfu.host}, which is on this machine. A phone needs a key with an address in your network.`;
  if (sfu.protocol === 'ws:')
    return `The key leads to a room at ${sfu.host}, which is not encrypted. A phone needs a key with a wss: address.`;
  return null;
}
