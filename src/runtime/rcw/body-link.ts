import * as texts from '../../protocol/texts/rcw-texts.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import { TELEMETRY_FRESH_MS } from '../../protocol/wire/limits.ts';
import type { RuntimeCore } from '../core.ts';

/** The link to the body: how recent its reports are. */
export interface BodyLink {
  /** When the body last reported, milliseconds since the epoch: every physics step is a report. */
  reportedAtMs: number | null;
  /** When the process last continued after it had stood still, milliseconds since the epoch; null when it never stood still. */
  resumedAtMs: number | null;
}

/** State with a link to the body. */
interface BodyLinked {
  readonly bodyLink: BodyLink;
}

/** Returns a link over which the body has not reported yet. */
export const createBodyLink = (): BodyLink => ({ reportedAtMs: null, resumedAtMs: null });

/** Returns the age of the body's last report, milliseconds; null before the first. */
export const telemetryAgeMs = ({ nowMs }: RuntimeCore, { bodyLink: { reportedAtMs } }: BodyLinked): number | null =>
  reportedAtMs === null ? null : Math.max(0, nowMs - reportedAtMs);

/**
 * Returns why the body takes no command now, or null. A command that cannot be carried out at once is refused and never kept for
 * later.
 */
export function notReady(core: RuntimeCore, rcw: BodyLinked): RuntimeError | null {
  if (core.fault !== null) return texts.bodyBroken(core.fault);
  const { resumedAtMs } = rcw.bodyLink;
  if (core.emergency.latched !== null) return core.contract.stoppedError(core.emergency.latched);
  if (resumedAtMs !== null && core.nowMs - resumedAtMs < TELEMETRY_FRESH_MS) return texts.justResumed();
  const ageMs = telemetryAgeMs(core, rcw);
  return ageMs === null || ageMs > TELEMETRY_FRESH_MS ? texts.telemetryStale(ageMs) : null;
}
