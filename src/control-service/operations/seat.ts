import { SEAT_BROWSER_ATTRIBUTE, SEAT_PAGE_ATTRIBUTE, type SeatAnswer, type SeatAsked } from '../../protocol/seat-question.ts';
import { shownName } from '../../protocol/shown-text.ts';
import type { ServiceDeps } from '../deps.ts';
import { SfuError } from '../sfu-error.ts';
import { isAnyRuntime, readParticipantToken, signParticipantToken } from '../tokens.ts';

/** The keys with which the SFU checks tokens. */
export interface TokenKey {
  apiKey: string;
  apiSecret: string;
}

/**
 * Answers who else is the robot that this token is for, and gives the token again with the marks of the asking page, by which the
 * next page is told who it is. The new token opens nothing that the given one does not, and ends with it.
 * @returns null for a token that is none of this platform, has expired, or is for no robot; and when the SFU does not answer
 */
export async function whoHasSeat(
  deps: Pick<ServiceDeps, 'sfu' | 'clock'>,
  key: TokenKey,
  { token, browser, page }: SeatAsked,
): Promise<SeatAnswer | null> {
  const nowMs = deps.clock.nowMs();
  const place = await readParticipantToken(key, token, nowMs);
  if (place === null || place.access !== null || !isAnyRuntime(place.identity)) return null;
  const found = await deps.sfu.holderOf(place.room, place.identity).catch(unlessSilent);
  if (found === undefined) return null;
  const isOwn = found === null || found.attributes[SEAT_BROWSER_ATTRIBUTE] === browser;
  const issuedAtS = Math.floor(nowMs / 1000);
  return {
    holder: isOwn
      ? null
      : {
          page: found.attributes[SEAT_PAGE_ATTRIBUTE] ?? null,
          is_worker: found.isAgent,
          for_ms: Math.max(0, Math.round(nowMs - found.joinedAtMs)),
        },
    token: await signParticipantToken(key, {
      ...place,
      issuedAtS,
      ttlS: place.endsAtS - issuedAtS,
      attributes: { [SEAT_BROWSER_ATTRIBUTE]: browser, [SEAT_PAGE_ATTRIBUTE]: shownName(page) },
    }),
  };
}

function unlessSilent(error: unknown): undefined {
  if (!(error instanceof SfuError)) throw error;
}
