/**
 * What the holder of a token may do in a robot's room, beside its runtime. `watch`: see, and nothing else; the SFU takes no data and
 * no call of it. `drive`: call, as everybody whose token names no access.
 */
export const ACCESSES = ['drive', 'watch'] as const;
export type Access = (typeof ACCESSES)[number];

/** LiveKit attribute with the access of a visitor's token. The service signs it, and its holder cannot change it. */
export const ACCESS_ATTRIBUTE = 'simplesim.access';
/** LiveKit attribute with the identity that the visitor's link was made for: each page that opens it joins under one of its own. */
export const LINK_ATTRIBUTE = 'simplesim.link';

/** Returns the access that attributes name; null where they name none, as those of a robot's runtime and of most programs. */
export const accessOf = (attributes: unknown): Access | null =>
  ACCESSES.find((access) => stringOf(attributes, ACCESS_ATTRIBUTE) === access) ?? null;

/** Returns the identity of the link by which somebody with these attributes came; null for anybody else. */
export const linkOf = (attributes: unknown): string | null => stringOf(attributes, LINK_ATTRIBUTE);

function stringOf(attributes: unknown, name: string): string | null {
  if (typeof attributes !== 'object' || attributes === null) return null;
  const value = (attributes as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
