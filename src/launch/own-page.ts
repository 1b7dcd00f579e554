import type { Context } from 'hono';
import { isLoopback } from '../protocol/room/room-key.ts';

/** The headers by which a proxy or tunnel marks a forwarded request. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * Returns whether a request comes from a page of this same address in a browser of this machine: under a loopback name, from the
 * same origin, and not forwarded.
 */
export function isFromOwnPage(c: Context): boolean {
  const host = c.req.header('host') ?? '';
  const origin = `http://${host}`;
  if (!URL.canParse(origin) || !isLoopback(new URL(origin).hostname)) return false;
  if (c.req.header('origin') !== origin) return false;
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  return PASSED_ON.every((name) => c.req.header(name) === undefined);
}
