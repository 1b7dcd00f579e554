import { shownJson, shownLine } from '../common/shown-text.ts';
import { API_KEY_PREFIX } from '../protocol/service/api-key-form.ts';

/** One log event. No entry contains a key, a token, or the content of a call. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  /** One or two words, joined with underscores. */
  event: string;
  [field: string]: string | number | boolean | null | undefined;
}

export type Log = (entry: LogEntry) => void;

/** One line of JSON, for a log that programs read. */
export const jsonLine = (entry: LogEntry, nowMs: number): string => shownJson({ time: new Date(nowMs).toISOString(), ...entry });

/** One line for people: the time of day (UTC), the event, its facts, and the sentence about it. */
export function plainLine({ level, event, message, ...facts }: LogEntry, nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(11, 19);
  const parts = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : `${name}=${shownLine(String(value))}`,
  );
  const mark = level === 'info' ? '' : `${level.toUpperCase()} `;
  return [
    `${time} ${mark}${event.replaceAll('_', ' ')}`,
    ...parts,
    ...(message === undefined ? [] : [`— ${shownLine(String(message))}`]),
  ].join('  ');
}

/** A token of three parts, anywhere in the text. */
const JWT = /\beyJ[\w-]{4,}\.[\w-]+\.[\w-]*/g;
/** A live API key from any issuer. The start by which its owner recognises it is shorter. */
const API_KEY = new RegExp(`${API_KEY_PREFIX}[\\w-]{8,}`, 'g');

/** Returns foreign text without parts that look like a token or an API key. */
export const withoutTokens = (text: string): string => text.replace(JWT, '<token>').replace(API_KEY, '<key>');
