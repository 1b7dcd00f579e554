import { shownJson } from '../protocol/shown-text.ts';
import type { LogEntry } from './deps.ts';

/** Room for all frames of an error. */
const FIELD_MAX_LENGTH = 4_096;

/** Returns one line of JSON, for a log that programs read. No field fills the line, whoever chose its content. */
export const formatLogLine = (entry: LogEntry, nowMs: number): string =>
  shownJson({ time: new Date(nowMs).toISOString(), ...entry }, (_, value: unknown) =>
    typeof value === 'string' ? value.slice(0, FIELD_MAX_LENGTH) : value,
  );
