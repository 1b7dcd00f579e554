import { shownJson } from '../common/shown-text.ts';
import type { LogEntry } from './deps.ts';

/** Space for all frames of an error. */
const FIELD_MAX_LENGTH = 4_096;

/** Returns one line of JSON, for a log that programs read. Long fields are cut, so that no content can fill the line. */
export const formatLogLine = (entry: LogEntry, nowMs: number): string =>
  shownJson({ time: new Date(nowMs).toISOString(), ...entry }, (_, value: unknown) =>
    typeof value === 'string' ? value.slice(0, FIELD_MAX_LENGTH) : value,
  );
