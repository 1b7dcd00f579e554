import { base64url } from 'jose';
import { FairShelf } from './fair-shelf.ts';
import { packPose, shortened, tailOf, unpackPose } from './pose-packets.ts';
import { toBase64 } from './signed-sealing.ts';

const GRANTS_KEPT = 64;

/** A grant is known from its own sender: nobody puts another in its place. */
const nameOf = (from: string, tail: string): string => `${from}\n${tail}`;

/** One call, as the robot's room hands it on. */
interface PoseCall {
  requestId: string;
  method: 'runtime.forward_envelope';
  payload: string;
  callerIdentity: string;
}

/**
 * The robot's end. What a packet holds is a signed envelope as any, and is answered as any; what is no packet is dropped. An empty answer
 * says that the grant is not known here, and has to come whole.
 * @param send puts an answer to a participant, and may lose it
 */
export function createPoseDesk(
  onCall: (call: PoseCall) => Promise<string>,
  send: (to: string, packet: string) => void,
): (packet: string, from: string) => void {
  const grants = new FairShelf<string>(GRANTS_KEPT);

  /** The envelope to the letter, as it was signed; null where its grant is not known. */
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

  return (packet, from) => {
    const pose = unpackPose(packet);
    if (!pose) return;
    const { number, text } = pose;
    const whole = wholeOf(text, from);
    if (whole === null) return send(from, packPose(number, ''));
    // A packet that comes twice is one call. Numbers begin anew with each page, signatures do not.
    const requestId = `pose ${number} ${whole.slice(-32)}`;
    const payload = JSON.stringify({ envelope: toBase64(whole) });
    void onCall({ requestId, method: 'runtime.forward_envelope', payload, callerIdentity: from }).then((reply) =>
      send(from, packPose(number, reply)),
    );
  };
}
