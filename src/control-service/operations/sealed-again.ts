import { CROWDED } from '../../protocol/signed-texts.ts';

/** How to continue after a runtime's rejection of a sealed call, none of which was carried out. */
export interface SealedAgain {
  /** Whether to seal the call again, and how soon. */
  when: 'at-once' | 'later' | 'no';
  /** The runtime's clock for the next envelope, in milliseconds since the epoch; null: unchanged. */
  runtimeNowMs: number | null;
  /** Whether another grant is needed. */
  needsGrant: boolean;
}

/** How many times a rejected call is sealed again without a pause. */
const AT_ONCE_MAX = 3;

/**
 * Judges a rejection.
 * @param call `refusals` is how often this call has been rejected, including this time; a stop is sealed again for as long as
 * that may help
 */
export function sealedAgain(
  { code, details }: { code: string; details?: Readonly<Record<string, unknown>> | undefined },
  { refusals, isStop }: { refusals: number; isStop: boolean },
): SealedAgain {
  const soon = refusals <= AT_ONCE_MAX ? 'at-once' : 'later';
  const as = (when: SealedAgain['when']): SealedAgain => ({ when, runtimeNowMs: null, needsGrant: false });
  switch (code) {
    // Calls that are under way at the same time arrive in any order.
    case 'ENVELOPE_OUT_OF_ORDER':
    case 'ENVELOPE_REPLAYED':
      return as(soon);
    case 'ENVELOPE_STALE': {
      const runtimeNowMs = typeof details?.now_ms === 'number' ? details.now_ms : null;
      return { ...as(isStop || refusals === 1 ? soon : 'no'), runtimeNowMs };
    }
    case 'GRANT_EXPIRED':
      return { ...as(refusals === 1 ? soon : 'no'), needsGrant: true };
    default:
      // The runtime has no capacity at the moment.
      return as(isStop && details?.reason === CROWDED ? 'later' : 'no');
  }
}
