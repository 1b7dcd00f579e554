import { CROWDED } from '../../protocol/signed-texts.ts';

/** What a runtime's refusal of a sealed call, of which nothing was carried out, asks of the next one. */
export interface SealedAgain {
  /** Whether the call is to be sealed anew, and how soon. */
  when: 'at-once' | 'later' | 'no';
  /** The runtime's clock, which the next envelope has to go by, milliseconds since the epoch; null: as before. */
  runtimeNowMs: number | null;
  /** Whether it needs another grant. */
  needsGrant: boolean;
}

/** How many times a refused call is sealed anew without a pause. */
const AT_ONCE_MAX = 3;

/**
 * Judges a refusal.
 * @param call `refusals` is how often this call has been refused, with this one; a stop is sealed anew for as long as it may help
 */
export function sealedAgain(
  { code, details }: { code: string; details?: Readonly<Record<string, unknown>> | undefined },
  { refusals, isStop }: { refusals: number; isStop: boolean },
): SealedAgain {
  const soon = refusals <= AT_ONCE_MAX ? 'at-once' : 'later';
  const as = (when: SealedAgain['when']): SealedAgain => ({ when, runtimeNowMs: null, needsGrant: false });
  switch (code) {
    // Calls that are under way together arrive in any order.
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
      // There is no room for it just now.
      return as(isStop && details?.reason === CROWDED ? 'later' : 'no');
  }
}
