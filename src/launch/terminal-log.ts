import { shownLine } from '../common/shown-text.ts';
import type { LogEntry } from '../control-service/deps.ts';
import { jsonLine, type Log, plainLine } from '../worker/log.ts';
import { print } from './output.ts';

/** Logs a command's events to its standard output. @param kind null: lines for people in a terminal, JSON elsewhere */
export function terminalLog(kind: 'json' | 'plain' | null): Log {
  const line = (kind ?? (process.stdout.isTTY ? 'plain' : 'json')) === 'json' ? jsonLine : plainLine;
  return (entry) => print(line(entry, Date.now()));
}

/** Returns the line about a problem of the platform, for people. */
export function troubleLine({ level, event, ...fields }: LogEntry): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `${name === 'message' ? '' : `${name}=`}${shownLine(String(value))}`,
  );
  return `  ${level} (${event}): ${parts.join(' ')}`;
}
