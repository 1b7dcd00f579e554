import { LINK_ATTRIBUTE } from '../../protocol/access.ts';
import type { WatchAnswer, WatchAsked } from '../../protocol/watch-exchange.ts';
import type { ServiceDeps } from '../deps.ts';
import { isAnyRuntime, readParticipantToken, signParticipantToken } from '../tokens.ts';
import type { TokenKey } from './seat.ts';

/** Two pages of one link never draw the same one. */
const SUFFIX_BYTES = 8;

/**
 * Gives the page of a visitor's link a place of its own: the same room, access and end, and an identity that nobody has. A token that
 * was given so leads to another of its link, so that a page that reloads has no longer and longer name.
 * @returns null for a token that is none of this platform, has expired, or names no access
 */
export async function placeToWatch(
  deps: Pick<ServiceDeps, 'clock' | 'randomBytes'>,
  key: TokenKey,
  { token }: WatchAsked,
): Promise<WatchAnswer | null> {
  const nowMs = deps.clock.nowMs();
  const place = await readParticipantToken(key, token, nowMs);
  if (place === null || place.access === null || isAnyRuntime(place.identity)) return null;
  const link = place.link ?? place.identity;
  const issuedAtS = Math.floor(nowMs / 1000);
  return {
    token: await signParticipantToken(key, {
      ...place,
      identity: `${link}-${Buffer.from(deps.randomBytes(SUFFIX_BYTES)).toString('hex')}`,
      issuedAtS,
      ttlS: place.endsAtS - issuedAtS,
      attributes: { [LINK_ATTRIBUTE]: link },
    }),
  };
}
