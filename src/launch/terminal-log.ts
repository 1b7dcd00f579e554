import { jsonLine, type Log, plainLine } from '../worker/log.ts';

/** The log of a command at its standard output. @param kind null: lines for people in a terminal, JSON elsewhere */
export function terminalLog(kind: 'json' | 'plain' | null): Log {
  const line = (kind ?? (process.stdout.isTTY ? 'plain' : 'json')) === 'json' ? jsonLine : plainLine;
  return (entry) => process.stdout.write(`${line(entry, Date.now())}\n`);
}
