import * as base64url from 'jose/base64url';
import { sealedIn } from '../signed/signed-sealing.ts';

/**
 * Signed poses as lossy packets. A call of the room is repeated until it has arrived, and later calls wait behind it: on a
 * connection with occasional packet loss, each pose arrives late, and all of them arrive. With packets, the next pose replaces
 * one that was lost.
 */
export const POSES_TOPIC = 'simplesim.poses';

/** More than one packet carries. */
const TEXT_MAX_LENGTH = 15_000;
/** The end of a grant's signature distinguishes it from all others. */
const TAIL_LENGTH = 24;

/** A numbered text. Pose and answer have the same form; a packet carries it in UTF-8. */
export const packPose = (number: number, text: string): string => `${number} ${text}`;

/** Returns the number and the text of a packet; null for other data. */
export function unpackPose(packet: string): { number: number; text: string } | null {
  if (packet.length > TEXT_MAX_LENGTH) return null;
  const read = /^(\d{1,12}) ([\s\S]*)$/.exec(packet);
  return read ? { number: Number(read[1]), text: read[2] ?? '' } : null;
}

/** The parts of an envelope whose grant the robot knows: less than half of the envelope, so that it fits one datagram. */
export interface ShortEnvelope {
  text: string;
  grant: string;
}

/** Returns the short form of an envelope; null if its claims do not end with the grant, or if it is not an envelope. */
export function shortened(jws: string): ShortEnvelope | null {
  const [header = '', claims = '', signature = ''] = jws.split('.');
  const [, head = '', grant = ''] = /^([\s\S]*"grant":")([\w.-]+)"}$/.exec(textOf(claims) ?? '') ?? [];
  return grant === '' ? null : { grant, text: `${header}.${signature} ${tailOf(grant)} ${head}` };
}

/** Names a grant to a robot that knows it. */
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
export interface PoseChannel {
  /**
   * Sends a sealed pose, as `sealEnvelope` made it.
   * @returns its answer, or that of a newer pose if this one was lost or the robot already follows the newer one
   * @throws when no answer at all arrived in time
   */
  call(request: string, timeoutMs: number): Promise<string>;
  /** Notes that an answer has come from the robot. */
  take(packet: string): void;
  /** Whether an answer has come: packets may get through later than calls. */
  isOpen(): boolean;
  /** Asks for an answer until one has come; call this from time to time. */
  probe(): void;
  /** Forgets whether packets arrive, because the room was joined again or another robot has come under the name. */
  close(): void;
}

export interface PoseChannelDeps {
  /** Sends a packet to the robot, which may get lost. */
  send(packet: string): void;
  /** Schedules a function. @returns a function that cancels it */
  after(ms: number, act: () => void): () => void;
  /** Makes the error of a pose without an answer. */
  late(): Error;
}

export function createPoseChannel({ send, after, late }: PoseChannelDeps): PoseChannel {
  let number = 0;
  /** The grant that the robot knows, because it has answered a pose that carried it. */
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
      // Text that is not an envelope is sent anyway: its rejection is an answer.
      if (!isOpen) send(packPose(0, '?'));
    },
    close() {
      isOpen = false;
      known = '';
    },
  };
}
