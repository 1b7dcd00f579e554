import type { Access } from '../../protocol/service/access.ts';

/** `open`: its page becomes the robot; pages of the other kinds join it. */
export type LinkKind = 'open' | Access;

/** The name of each link inside a sentence. */
export const LINK_NAMES: Record<LinkKind, string> = { open: 'link to be', drive: 'link to drive', watch: 'link to watch' };

const ALLOWS: Record<LinkKind, string> = {
  open: 'A tab that opens it is the robot. Give it to one person.',
  drive: 'Anyone with the link may call, drive and stop the robot: give it only to people you trust with it.',
  watch: 'Anyone with the link can watch the robot’s world live, and cannot control the robot.',
};

/** Returns a sentence on a link's validity and access. @param nowMs since the epoch */
export function linkText(kind: LinkKind, expiresAt: string, nowMs: number): string {
  return `${ALLOWS[kind]} It ends ${endText(expiresAt, nowMs)}, or with the robot’s session.`;
}

/** Formats an expiry, "in 4 h, at 18:45". The duration helps people in other time zones. */
export function endText(expiresAt: string, nowMs: number): string {
  const endsMs = Date.parse(expiresAt);
  if (Number.isNaN(endsMs)) return 'when the service ends it';
  const minutes = Math.max(0, Math.round((endsMs - nowMs) / 60_000));
  const at = new Date(endsMs).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return `in ${minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`}, at ${at}`;
}
