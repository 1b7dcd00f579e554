import { type HandMark, unsignedCaller } from '../../../protocol/caller.ts';

/** Fields of an error that name a caller. */
const CALLER_FIELDS = ['superseder', 'canceller'] as const;

/**
 * Returns a reply in which calls of this page are this page's, as they are at the robot's own: to the robot it is a participant like
 * any other, and the controls would take its own next command for somebody else's.
 * @param identity under which this page is in the room
 * @param handOf the mark of a manual command that this page sent, by its action's id
 */
export function asOwn(reply: unknown, identity: string | null, handOf: (actionId: unknown) => HandMark | null): unknown {
  const details = (reply as { error?: { details?: Record<string, unknown> } } | null)?.error?.details;
  if (!details || identity === null) return reply;
  for (const field of CALLER_FIELDS) {
    if (!isFrom(details[field], identity)) continue;
    const hand = field === 'superseder' ? handOf(details.superseded_by) : null;
    details[field] = unsignedCaller(null, hand ?? undefined);
  }
  return reply;
}

/** Tells whether somebody of this identity brought the call, signed or not. */
function isFrom(caller: unknown, identity: string): boolean {
  const { kind, ...rest } = (caller ?? {}) as { kind?: unknown; identity?: unknown; carrier?: unknown };
  return (kind === 'participant' && rest.identity === identity) || (kind === 'holder' && rest.carrier === identity);
}
