import { API_KEY_PREFIX } from '../protocol/api-key-form.ts';

/** One event. No entry holds a key, a token, or the content of a call. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  /** In a word or two, with underscores. */
  event: string;
  [field: string]: string | number | boolean | null | undefined;
}

export type Log = (entry: LogEntry) => void;

/** One line of JSON, for a log that programs read. */
export const jsonLine = (entry: LogEntry, nowMs: number): string =>
  JSON.stringify({ time: new Date(nowMs).toISOString(), ...entry });

/** One line for people: the time of day (UTC), what happened, its facts, and the sentence about it. */
export function plainLine({ level, event, message, ...facts }: LogEntry, nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(11, 19);
  const words = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : `${name}=${value}`,
  );
  const mark = level === 'info' ? '' : `${level.toUpperCase()} `;
  return [`${time} ${mark}${event.replaceAll('_', ' ')}`, ...words, ...(message === undefined ? [] : [`— ${message}`])].join(
    '  ',
  );
}

/** A token of three parts, wherever it stands. */
const JWT = /\beyJ[\w-]{4,}\.[\w-]+\.[\w-]*/g;
/** A live API key, whoever made it; the start by which its owner knows it is shorter. */
const API_KEY = new RegExp(`${API_KEY_PREFIX}[\\w-]{8,}`, 'g');
const FRAME = /^\s+at .{1,300}$/;
const FRAMES_MAX = 6;

/** Returns foreign text without parts that look like a token or an API key. */
export const withoutTokens = (text: string): string => text.replace(JWT, '<token>').replace(API_KEY, '<key>');

/** Returns the loggable facts of an unforeseen error: its kind and its place, but not its text, which may hold an address with a token. */
export function errorFacts(error: unknown): { error: string; at: string } {
  if (!(error instanceof Error)) return { error: typeof error, at: '' };
  const code = 'code' in error && typeof error.code === 'string' && /^[\w.-]{1,64}$/.test(error.code) ? ` ${error.code}` : '';
  const text = error.stack?.indexOf(error.message) ?? -1;
  const frames = text < 0 ? [] : (error.stack ?? '').slice(text + error.message.length).split('\n');
  const at = frames.filter((line) => FRAME.test(line)).slice(0, FRAMES_MAX);
  return { error: `${error.constructor.name}${code}`, at: at.map((line) => line.trim().slice(3)).join(' < ') };
}
