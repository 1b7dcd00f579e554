import { z } from 'zod';
import { accessOf, linkOf } from './access.ts';

/**
 * The maximum number of operators' links of a session that have not ended, including revoked links. The metadata of the room
 * names each revoked link among them, and must stay below the 64 KiB that LiveKit Cloud accepts.
 */
export const OPERATOR_LINKS_MAX = 700;
/**
 * Links that have ended are named while the metadata names fewer closed links than this. The robot also reads their end from
 * their tokens.
 */
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

/** Returns the identity of a link's page without the suffix of the page; null for an identity of another form. */
const linkIdentityOf = (identity: string): string | null =>
  PAGE_SUFFIX.test(identity) ? identity.replace(PAGE_SUFFIX, '') : null;

/**
 * The robot's own clock ends a link this long after its end, milliseconds: a clock that runs ahead must not reject an operator
 * whose link is valid. The service ends the link in time, through the metadata; this delay matters only if the service is gone.
 */
const ROBOT_CLOCK_OFF_MAX_MS = 5 * 60_000;

/**
 * Returns whether a participant came by a link that ended or was revoked.
 * @param attributes signed by the service; undefined while the SFU has not announced the participant, which it does up to 3 s
 * late
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
