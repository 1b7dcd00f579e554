import { base64url } from 'jose';
import { sealedIn } from './signed-sealing.ts';

/**
 * Signed poses as lossy packets. A call of the room is repeated until it has arrived, and what comes after it waits: on a line that loses a
 * packet now and then each pose comes late, and all of them come. A packet that got lost is made good by the next.
 */
export const POSES_TOPIC = 'simplesim.poses';

/** More than one packet carries. */
const TEXT_MAX_LENGTH = 15_000;
/** The end of a grant's signature tells it from all others. */
const TAIL_LENGTH = 24;

/** A numbered text. Pose and answer have the same form; a packet holds it in UTF-8. */
export const packPose = (number: number, text: string): string => `${number} ${text}`;

/** Returns the number and the text of a packet; null for what is none. */
export function unpackPose(packet: string): { number: number; text: string } | null {
  if (packet.length > TEXT_MAX_LENGTH) return null;
  const read = /^(\d{1,12}) ([\s\S]*)$/.exec(packet);
  return read ? { number: Number(read[1]), text: read[2] ?? '' } : null;
}

/** The parts of an envelope of which the robot knows the grant already: less than half of it, so that it fits one datagram. */
export interface ShortEnvelope {
  text: string;
  grant: string;
}

/** Returns the short form of an envelope; null for one whose claims do not end with the grant, and for what is none. */
export function shortened(jws: string): ShortEnvelope | null {
  const [header = '', claims = '', signature = ''] = jws.split('.');
  const [, head = '', grant = ''] = /^([\s\S]*"grant":")([\w.-]+)"}$/.exec(textOf(claims) ?? '') ?? [];
  return grant === '' ? null : { grant, text: `${header}.${signature} ${tailOf(grant)} ${head}` };
}

/** Names a grant to who knows it. */
export const tailOf = (grant: string): string => grant.slice(-TAIL_LENGTH);

function textOf(base64: string): string | null {
  try {
    const hex = Array.from(base64url.decode(base64), (byte) => `%${byte.toString(16).padStart(2, '0')}`);
    return decodeURIComponent(hex.join(''));
  } catch {
    return null;
  }
}

/** The sender's end: poses out, answers in. */
export interface PoseLine {
  /**
   * Sends a sealed pose, as `sealEnvelope` made it.
   * @returns its answer, or that of a newer pose: then it got lost, or the robot follows the newer one
   * @throws when nothing at all was answered in time
   */
  call(request: string, timeoutMs: number): Promise<string>;
  /** An answer has come from the robot. */
  take(packet: string): void;
  /** Whether an answer has come: the way of packets may open later than that of calls. */
  isOpen(): boolean;
  /** Asks for an answer, as long as none has come; to be called now and then. */
  probe(): void;
  /** The room was joined anew, or another robot has come under the name: whether packets arrive is not known any more. */
  close(): void;
}

export interface PoseLineDeps {
  /** Puts a packet to the robot, which may get lost. */
  send(packet: string): void;
  /** Does something later. @returns what keeps it from being done */
  after(ms: number, act: () => void): () => void;
  /** Makes the error of a pose without an answer. */
  late(): Error;
}

export function createPoseLine({ send, after, late }: PoseLineDeps): PoseLine {
  let number = 0;
  /** The grant that the robot knows, for it has answered a pose that carried it. */
  let known = '';
  let isOpen = false;
  // In the order of their numbers.
  const open = new Map<number, { grant: string; resolve(answer: string): void; keep(): void }>();
  return {
    call(request, timeoutMs) {
      number += 1;
      const mine = number;
      return new Promise((resolve, reject) => {
        const keep = after(timeoutMs, () => {
          open.delete(mine);
          reject(late());
        });
        const whole = sealedIn(request);
        const short = shortened(whole);
        open.set(mine, { grant: short?.grant ?? '', resolve, keep });
        send(packPose(mine, short && short.grant === known ? short.text : whole));
      });
    },
    take(packet) {
      const answer = unpackPose(packet);
      if (!answer) return;
      isOpen = true;
      if (answer.text === '') {
        known = '';
        return;
      }
      known = open.get(answer.number)?.grant ?? known;
      for (const [each, { resolve, keep }] of open) {
        if (each > answer.number) break;
        open.delete(each);
        keep();
        resolve(answer.text);
      }
    },
    isOpen: () => isOpen,
    probe() {
      // What is no envelope is refused, which is an answer.
      if (!isOpen) send(packPose(0, '?'));
    },
    close() {
      isOpen = false;
      known = '';
    },
  };
}
