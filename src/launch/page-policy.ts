/** The browser's permissions for our pages, and the sites that may show them in a frame. */
import { isRobotsPage } from '../protocol/robots-page.ts';

/**
 * The Content-Security-Policy of the built page. No script but our own files, WebAssembly aside (physics); no style but our own; no
 * network but this origin and the SFU, whose address only the room key knows. `vite.config.ts` writes it into the page too, for hosts
 * that send no headers.
 */
const PAGE_POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'font-src': "'self'",
  'media-src': "'self' blob:",
  'manifest-src': "'self'",
  'connect-src': "'self' ws: wss: http: https:",
  'base-uri': "'none'",
  'form-action': "'none'",
  'object-src': "'none'",
  'frame-src': "'none'",
};

/** Returns the policy as text. @param frameAncestors the sites that may show the page in a frame; only a header can say that */
export function policyText(frameAncestors: string | null): string {
  const parts = Object.entries(PAGE_POLICY).map(([name, value]) => `${name} ${value}`);
  return [...parts, ...(frameAncestors === null ? [] : [`frame-ancestors ${frameAncestors}`])].join('; ');
}

/**
 * The patterns of the raw query of a page that takes no key, valid for every program that reads queries, whichever of two values
 * it takes and however it treats `;`: plain names with values, `embed=1` and `try=1` among them, neither of them twice. The
 * proxy's Caddyfile has the same patterns, so they are written without backslashes, as RE2 knows them.
 */
export const KEYLESS_QUERY = {
  all: ['^[a-z_-]+=[^&;]*(&[a-z_-]+=[^&;]*)*$', '(^|&)embed=1(&|$)', '(^|&)try=1(&|$)'],
  none: ['(^|&)embed=.*&embed=', '(^|&)try=.*&try='],
} as const;

/**
 * Returns the sites that may frame a page. A foreign page must not show one that can hold a key, or it could lay buttons over
 * ours. A robot that runs in the tab alone holds none: with `?embed=1&try=1` the page takes no key, neither from its address nor
 * from a person, so anybody may show it.
 * @param query the address's raw query, without `?`
 * @param allowed sites of the setting SIMPLESIM_FRAME_ANCESTORS
 */
export function frameAncestors(query: string, allowed: string): string {
  const matches = (pattern: string) => new RegExp(pattern).test(query);
  return KEYLESS_QUERY.all.every(matches) && !KEYLESS_QUERY.none.some(matches) ? '*' : allowed;
}

/** As {@link frameAncestors}, of the page at this path: the page that holds an API key is in no frame, whatever its address says. */
export const frameAncestorsAt = (path: string, query: string, allowed: string): string =>
  isRobotsPage(path) ? "'none'" : frameAncestors(query, allowed);

const ORIGIN = /^https?:\/\/(?:\*\.)?[a-z0-9.-]+(?::(?:\d{1,5}|\*))?$|^https?:\/\/\[[0-9a-f:]+\](?::\d{1,5})?$/i;

/**
 * Reads the sites that may show the page in a frame: `self`, `none`, `*`, or origins with spaces or commas between.
 * @throws With what to set
 */
export function readFrameAncestors(env: NodeJS.ProcessEnv): string {
  const words = (env.SIMPLESIM_FRAME_ANCESTORS ?? '').split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 0) return "'self'";
  if (words.length === 1 && (words[0] === 'none' || words[0] === '*')) return words[0] === 'none' ? "'none'" : '*';
  const wrong = words.find((word) => word !== 'self' && !ORIGIN.test(word));
  if (wrong !== undefined) {
    throw new Error(
      `SIMPLESIM_FRAME_ANCESTORS holds "${wrong}". Set it to origins such as https://example.org, with spaces between, or to self, none or *.`,
    );
  }
  return [...new Set(["'self'", ...words.filter((word) => word !== 'self')])].join(' ');
}

/** Of the browser's powers the page uses these; frames of others would need their site's leave as well. */
export const PERMISSIONS_POLICY =
  'camera=(self), gamepad=(self), clipboard-read=(self), clipboard-write=(self), fullscreen=(self), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), midi=(), payment=()';
