import { CROWDED, OVERTAKEN } from '../protocol/texts/signed-texts.ts';
import type { CommandKind } from '../protocol/wire/command-kinds.ts';
import type { Refusal } from './refusal.ts';

/** The consequence of the refusal of a sealed command. */
export interface RefusalVerdict {
  /** Whether to seal the command again: immediately, after a pause, or not. */
  retry: 'now' | 'later' | 'no';
  /** The runtime's clock, for the next envelope, in milliseconds since the epoch; null if the refusal does not report it. */
  runtimeNowMs: number | null;
  /** Whether the next envelope needs another grant. */
  needsGrant: boolean;
}

/** How often a refused command is sealed again without a pause. */
const WITHOUT_PAUSE_MAX = 3;

/**
 * Decides what follows the refusal of a sealed command. Nothing of the refused envelope was carried out. The same `action_id` is sealed each time, so
 * no command can run twice (promise P5). A stop is sealed again as long as that may help (promise P7).
 * @param refusals how often this command has been refused, including this time
 */
export function judgeRefusal(
  { code, details }: Pick<Refusal, 'code' | 'details'>,
  { refusals, kind }: { refusals: number; kind: CommandKind },
): RefusalVerdict {
  const isStop = kind === 'stop';
  const soon = refusals <= WITHOUT_PAUSE_MAX ? 'now' : 'later';
  const once = isStop || refusals === 1 ? soon : 'no';
  const verdict = (retry: RefusalVerdict['retry']): RefusalVerdict => ({ retry, runtimeNowMs: null, needsGrant: false });
  switch (code) {
    case 'ENVELOPE_OUT_OF_ORDER':
      // A stop was carried out after this command was sent, perhaps a stop by another caller. The command must not undo it.
      if (details.reason === OVERTAKEN && !isStop) return verdict('no');
      // Commands that are under way at the same time arrive in any order.
      return verdict(soon);
    case 'ENVELOPE_REPLAYED':
      // The network may have carried the envelope twice. Only a change of the driver has no id by which a second one is harmless.
      return verdict(kind === 'read' ? 'no' : soon);
    case 'ENVELOPE_STALE':
      return { ...verdict(once), runtimeNowMs: finite(details.now_ms) };
    case 'GRANT_EXPIRED':
      return { ...verdict(once), needsGrant: true };
    default:
      // The runtime has no capacity at the moment.
      return verdict(isStop && details.reason === CROWDED ? 'later' : 'no');
  }
}

const finite = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

const MAY_ACCEPT_NO_ENVELOPES = ['PERMISSION_DENIED', 'ENVELOPE_MALFORMED'];

/**
 * Returns whether a runtime rejected a command for its content, and not for a missing signature: it has not asked for signatures,
 * and rejects the signed command too. Its answer to the unsigned command is then the informative one.
 * @param plain its refusal of the unsigned command; null if none was sent
 */
export function acceptsNoEnvelopes(plain: Refusal | null, sealed: Refusal): boolean {
  if (sealed.code === 'METHOD_NOT_FOUND') return true;
  return MAY_ACCEPT_NO_ENVELOPES.includes(sealed.code) && plain?.details.signed_control !== true;
}
