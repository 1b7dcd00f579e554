import { radToDeg } from '../../../protocol/wire/geometry.ts';

/** Uses the typographic minus sign, which is as wide as a digit, so that columns of figures keep still. */
const signed = (text: string): string => (Number(text) === 0 ? text.replace('-', '') : text.replace('-', '\u2212'));

/** Formats a number with a fixed count of decimals; never "-0". */
export const decimal = (value: number, digits: number): string => signed(value.toFixed(digits));

/** Formats metres in the world or along a path, e.g. "3.20 m". */
export const metres = (value: number, digits = 2): string => `${decimal(value, digits)} m`;

/** Formats an angle, e.g. "-12°". @param deg degrees */
export const degrees = (deg: number, digits = 0): string => `${decimal(deg, digits)}°`;

/** @param rad radians */
export const radiansAsDegrees = (rad: number, digits = 0): string => degrees(radToDeg(rad), digits);

/** Formats a span of time: "0.4 s", "12.3 s", "1 min 05 s". @param spanMs milliseconds */
export function duration(spanMs: number): string {
  const seconds = Math.max(0, spanMs) / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Formats a running span in whole seconds: "4 s", "1 min 05 s". @param spanMs milliseconds */
export function wholeSeconds(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1000);
}

/** Returns the local time of day, 24 hours. @param atMs milliseconds since the epoch */
export const timeOfDay = (atMs: number): string => new Date(atMs).toLocaleTimeString('en-GB');

/** Returns the time of day of a moment, with its day if that is not today. @param nowMs Unix milliseconds, as `atMs` */
export function sinceText(atMs: number, nowMs = Date.now()): string {
  const [day, today] = [atMs, nowMs].map((ms) => new Date(ms).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' }));
  return day === today ? timeOfDay(atMs) : `${day}, ${timeOfDay(atMs)}`;
}

/** Formats a factor of time, e.g. "0.82×", "2×". */
export const factor = (value: number): string => `${Number(value.toFixed(value < 10 ? 2 : 1))}×`;

/** Compares ids by their numbers: cube_2 before cube_10. */
export const byId = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** Formats a count with its noun: "1 cube", "3 cubes". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Formats a count of bytes: "812 B", "64 kB", "1.2 MB". */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`;
  return count < 1_000_000 ? `${Math.round(count / 1_000)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}
