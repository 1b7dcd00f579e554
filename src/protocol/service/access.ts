/**
 * The rights of a token's holder in a robot's room, beside its runtime. `watch`: see only; the SFU takes no data and no calls
 * from the holder. `drive`: call, like every holder whose token names no access.
 */
export const ACCESSES = ['drive', 'watch'] as const;
export type Access = (typeof ACCESSES)[number];

/** LiveKit attribute with the access of a visitor's token. The service signs it, and its holder cannot change it. */
export const ACCESS_ATTRIBUTE = 'simplesim.access';
/**
 * LiveKit attribute with the identity that the visitor's link was made for: each page that opens the link joins under an identity
 * of its own.
 */
const LINK_ATTRIBUTE = 'simplesim.link';
/** LiveKit attribute with the id of the visitor's link, by which the owner revokes it. */
const LINK_ID_ATTRIBUTE = 'simplesim.link_id';
/**
 * LiveKit attribute with the end of the visitor's link, in whole seconds since the epoch. The SFU renews the token of a connected
 * participant beyond the token's end; the attributes stay.
 */
const LINK_ENDS_ATTRIBUTE = 'simplesim.link_ends';

/** The link by which a participant came, as the signed attributes describe it. */
export interface SignedLink {
  /** Identity that the link was made for; null in the token of the link itself. */
  identity: string | null;
  /** Null for a link that an older service made. */
  id: string | null;
  /** Whole seconds since the epoch; null for a link that an older service made. */
  endsAtS: number | null;
}

/** Returns the access that attributes name; null if they name none, like those of a robot's runtime and of most programs. */
export const accessOf = (attributes: unknown): Access | null =>
  ACCESSES.find((access) => stringOf(attributes, ACCESS_ATTRIBUTE) === access) ?? null;

/** Returns the link by which a participant with these attributes came; all null for a participant without a link. */
export function linkOf(attributes: unknown): SignedLink {
  const ends = stringOf(attributes, LINK_ENDS_ATTRIBUTE);
  return {
    identity: stringOf(attributes, LINK_ATTRIBUTE),
    id: stringOf(attributes, LINK_ID_ATTRIBUTE),
    endsAtS: ends !== null && /^\d{1,12}$/.test(ends) ? Number(ends) : null,
  };
}

/** Returns the attributes of a participant that came by this link. */
export const linkAttributes = ({ identity, id, endsAtS }: SignedLink): Record<string, string> => ({
  ...(identity === null ? {} : { [LINK_ATTRIBUTE]: identity }),
  ...(id === null ? {} : { [LINK_ID_ATTRIBUTE]: id }),
  ...(endsAtS === null ? {} : { [LINK_ENDS_ATTRIBUTE]: String(endsAtS) }),
});

function stringOf(attributes: unknown, name: string): string | null {
  if (typeof attributes !== 'object' || attributes === null) return null;
  const value = (attributes as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
