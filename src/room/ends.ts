import type { RuntimeProfile } from '../protocol/profile.ts';
import { inWords } from '../protocol/room-key.ts';
import type { ConnectionEnd, EndReason } from './connection-state.ts';

/** What the sentences of an end may tell. */
export interface EndFacts {
  nowMs: number;
  /** When the key expires or expired. */
  expiresAtMs: number;
  /** Which contract the robot of the key keeps. */
  profile: RuntimeProfile;
}

/** The sentences of every end, in one place. */
const ENDS: Record<EndReason, (facts: EndFacts) => Omit<ConnectionEnd, 'reason'>> = {
  left: () => ({
    title: 'You left the room',
    message: 'The robot has stopped and this tab has forgotten its key. Paste a room key to join again.',
    canRetry: false,
  }),
  session_deleted: () => ({
    title: 'The session was closed',
    message: "The robot's session was deleted on the platform, and its room with it. Ask for a new link.",
    canRetry: false,
  }),
  key_expired: ({ nowMs, expiresAtMs }) => ({
    title: 'This key has expired',
    message:
      expiresAtMs <= nowMs
        ? `This key expired ${inWords(nowMs - expiresAtMs)} ago. Ask for a new link.`
        : "The room no longer accepts this key: by the server's clock it has expired. Ask for a new link.",
    canRetry: false,
  }),
  taken_over: ({ profile }) => ({
    title: profile === 'worker' ? 'Another runtime took over' : 'Another tab took over',
    message:
      profile === 'worker'
        ? "Another tab, or a worker without a page, has joined as this robot's worker and is the robot now. If you did not want that, take it back here."
        : 'The robot was opened in another tab, here or on another device, and that tab is the robot now. If you did not want that, take it back here.',
    canRetry: true,
  }),
  held_elsewhere: () => ({
    title: 'Another tab is this robot',
    message: 'Another tab of this browser is already this robot. Use that tab, or take the robot over to this one.',
    canRetry: true,
  }),
  removed: () => ({
    title: 'This tab was removed from the room',
    message: 'Somebody who manages the room removed this tab from it. If that was a mistake, join again.',
    canRetry: true,
  }),
  refused: () => ({
    title: 'The room does not accept this key',
    message:
      'The server refuses this key: it was made for another server or before this one was started again, or it has been changed. You need a new link; `npm run link` prints one for the robot of `npm start`.',
    canRetry: false,
  }),
  unreachable: () => ({
    title: 'The room cannot be reached',
    message: 'The server in this key does not answer. Check the network and whether the platform is running, then try again.',
    canRetry: true,
  }),
};

/** An end with its title, its sentence and whether the same key may be tried again. */
export function endOf(reason: EndReason, facts: EndFacts): ConnectionEnd {
  return { reason, ...ENDS[reason](facts) };
}
