import { type HandMark, unsignedCaller } from '../../../protocol/wire/caller.ts';

/** Fields of an error that name a caller. */
const CALLER_FIELDS = ['superseder', 'canceller'] as const;

/**
 * Returns a reply in which calls of this page are attributed to this page, as they are at the robot's own page. The robot treats
 * this page as a participant like any other, so the controls would attribute its own next command to another caller.
 * @param identity this page's identity in the room
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

/** Returns whether a participant of this identity sent the call, signed or not. */
function isFrom(caller: unknown, identity: string): boolean {
  const { kind, ...rest } = (caller ?? {}) as { kind?: unknown; identity?: unknown; carrier?: unknown };
  return (kind === 'participant' && rest.identity === identity) || (kind === 'holder' && rest.carrier === identity);
}
