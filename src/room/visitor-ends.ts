import { linkEnded } from '../protocol/room/room-key.ts';
import type { Access } from '../protocol/service/access.ts';
import { commonEnds } from './common-ends.ts';
import type { ConnectionEnd, EndReason } from './connection-state.ts';

/** Facts for the sentences of an end. */
export interface VisitEndFacts {
  nowMs: number;
  /** When the link expires or expired. */
  expiresAtMs: number;
  access: Access;
}

const ASK_FOR_LINK = 'Ask the sender of this link for a new one.';

/** Ends that only the page of a robot has: a visitor displaces no one. */
type OfRobotsOnly = 'held_elsewhere' | 'held_by_another';
export type VisitEndReason = Exclude<EndReason, OfRobotsOnly>;

/** The sentences of every end of a visit. */
const ENDS: Record<VisitEndReason, (facts: VisitEndFacts) => Omit<ConnectionEnd, 'reason'>> = {
  ...commonEnds({ page: 'page', key: 'link', remedy: ASK_FOR_LINK }),
  key_expired: ({ nowMs, expiresAtMs }) => ({
    title: 'This link has ended',
    // A server whose clock is ahead refuses the link a little earlier.
    message: linkEnded(expiresAtMs, Math.max(nowMs, expiresAtMs)),
    canRetry: false,
  }),
  link_revoked: () => ({
    title: 'This link was revoked',
    message: 'The owner of the robot revoked this link. Ask the owner for a new one.',
    canRetry: false,
  }),
  left: ({ access }) => ({
    title: access === 'watch' ? 'You no longer watch' : 'You left the robot',
    message: 'This tab has forgotten its link. To come back, open the link again.',
    canRetry: false,
  }),
  session_deleted: () => ({
    title: 'The session was closed',
    message: `The session that this link leads to is over: it was closed, or a newer one has replaced it. ${ASK_FOR_LINK}`,
    canRetry: false,
  }),
  taken_over: () => ({
    title: 'This link is open in another page',
    message:
      'Another page has joined with this very link. Where no platform serves the page, a link is for one page at a time: close the other one, then try again.',
    canRetry: true,
  }),
};

/** Returns the end of a visit with its title, its sentence and whether the same link may be tried again. */
export function visitEndOf(reason: EndReason, facts: VisitEndFacts): ConnectionEnd {
  const known: VisitEndReason = reason === 'held_elsewhere' || reason === 'held_by_another' ? 'taken_over' : reason;
  return { reason: known, ...ENDS[known](facts) };
}
