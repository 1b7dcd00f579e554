import * as base64url from 'jose/base64url';
import { FairShelf } from '../../common/fair-shelf.ts';
import { toBase64 } from '../signed/signed-sealing.ts';
import { packPose, shortened, tailOf, unpackPose } from './pose-packets.ts';

const GRANTS_KEPT = 64;
/**
 * Packets of one sender in a second, more than the fastest stream has: packets beyond this number are dropped before they cost
 * anything.
 */
const PACKETS_PER_S_MAX = 200;
const SENDERS_COUNTED = 256;

/** A grant is stored for its own sender only, so another participant cannot replace it. */
const nameOf = (from: string, tail: string): string => `${from}\n${tail}`;

/** One call, as the robot's room passes it on. */
interface PoseCall {
  requestId: string;
  method: 'runtime.forward_envelope';
  payload: string;
  callerIdentity: string;
}

/**
 * The robot's end. The content of a packet is a signed envelope like any other and gets the same answers; data that is not a
 * packet is dropped. An empty answer asks for the whole grant, because it is unknown here.
 * @param send sends an answer to a participant, and may lose it
 * @param nowMs a monotonic clock
 */
export function createPoseReceiver(
  onCall: (call: PoseCall) => Promise<string>,
  send: (to: string, packet: string) => void,
  nowMs: () => number,
): (packet: string, from: string) => void {
  const grants = new FairShelf<string>(GRANTS_KEPT);

  /** The envelope exactly as it was signed; null if its grant is unknown. */
  function wholeOf(text: string, from: string): string | null {
    const short = /^([\w-]+)\.([\w-]+) (\S+) ([\s\S]*)$/.exec(text);
    if (!short) {
      const grant = shortened(text)?.grant;
      if (grant) grants.put(nameOf(from, tailOf(grant)), from, grant);
      return text;
    }
    const [, header = '', signature = '', tail = '', head = ''] = short;
    const grant = grants.get(nameOf(from, tail));
    return grant === undefined ? null : `${header}.${base64url.encode(`${head}${grant}"}`)}.${signature}`;
  }

  /** By sender, in the present second. */
  const counts = new Map<string, number>();
  let second = Number.NEGATIVE_INFINITY;

  function isFlood(from: string): boolean {
    const now = Math.floor(nowMs() / 1_000);
    if (now !== second) counts.clear();
    second = now;
    const count = (counts.get(from) ?? 0) + 1;
    if (counts.size >= SENDERS_COUNTED && count === 1) return true;
    counts.set(from, count);
    return count > PACKETS_PER_S_MAX;
  }

  return (packet, from) => {
    if (isFlood(from)) return;
    const pose = unpackPose(packet);
    if (!pose) return;
    const { number, text } = pose;
    const whole = wholeOf(text, from);
    if (whole === null) return send(from, packPose(number, ''));
    // A packet that arrives twice is one call. Numbers restart with each page, so the signature is part of the key.
    const requestId = `pose ${number} ${whole.slice(-32)}`;
    const payload = JSON.stringify({ envelope: toBase64(whole) });
    void onCall({ requestId, method: 'runtime.forward_envelope', payload, callerIdentity: from }).then((reply) =>
      send(from, packPose(number, reply)),
    );
  };
}
