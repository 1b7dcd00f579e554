import { z } from 'zod';
import { accessOf, linkOf } from './access.ts';

/**
 * How many operators' links of a session may not have ended yet, revoked ones included. The metadata of the room names each revoked one
 * of them, and has to stay below the 64 KiB that LiveKit Cloud takes.
 */
export const OPERATOR_LINKS_MAX = 700;
/** Links that have ended are named while the metadata names fewer closed links than this: the robot reads their end from their tokens, too. */
export const ENDED_LINKS_NAMED_MAX = 100;

export const closedLinkSchema = z.object({
  id: z.string().describe('Id of the link'),
  identity: z
    .string()
    .nullable()
    .describe(
      'Identity that the link was made for; its pages join as `<identity>-<16 hexadecimal digits>`. Null if a valid link has the same, or if many links are named.',
    ),
});
/** An operator's link of this session that ended or was revoked, as the metadata of the room lists it. */
export type ClosedLink = z.infer<typeof closedLinkSchema>;

const PAGE_SUFFIX = /-[0-9a-f]{16}$/;

/** Returns the closed links in a room's metadata; none for metadata that cannot be read. */
export function closedLinksOf(metadata: string): readonly ClosedLink[] {
  try {
    const { closed_links: closed } = JSON.parse(metadata) as { closed_links?: unknown };
    return z.array(closedLinkSchema).safeParse(closed).data ?? [];
  } catch {
    return [];
  }
}

/** Returns the identity of a link's page without the suffix that is the page's own; null for an identity of another form. */
const linkIdentityOf = (identity: string): string | null =>
  PAGE_SUFFIX.test(identity) ? identity.replace(PAGE_SUFFIX, '') : null;

/**
 * The robot's own clock ends a link only this long after its end, milliseconds: a clock that runs ahead must not refuse an operator
 * whose link is valid. The service ends it in time, through the metadata; this is for a service that is gone.
 */
const ROBOT_CLOCK_OFF_MAX_MS = 5 * 60_000;

/**
 * Tells whether a participant came by a link that ended or was revoked.
 * @param attributes signed by the service; undefined while the SFU has not announced the participant, which it does up to 3 s late
 */
export function hasClosedLink(
  { identity, attributes }: { identity: string; attributes: unknown },
  closed: readonly ClosedLink[],
  nowMs: number,
): boolean {
  if (attributes === undefined) {
    const named = [identity, linkIdentityOf(identity)];
    return closed.some((link) => link.identity !== null && named.includes(link.identity));
  }
  if (accessOf(attributes) === null) return false;
  const { id, endsAtS } = linkOf(attributes);
  return (endsAtS !== null && endsAtS * 1_000 + ROBOT_CLOCK_OFF_MAX_MS <= nowMs) || closed.some((link) => link.id === id);
}
