/** The browser's permissions for the project's pages, and the sites that may show them in a frame. */
import { isRobotsPage } from '../protocol/service/robots-page.ts';

/**
 * The Content-Security-Policy of the built page. It allows only the project's own scripts and styles, and WebAssembly (physics).
 * The network is limited to this origin and the SFU, whose address only the room key contains. `vite.config.ts` also writes it
 * into the page, for hosts that send no headers.
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

/** Returns the policy as text. @param frameAncestors the sites that may show the page in a frame; only a header can set them */
export function policyText(frameAncestors: string | null): string {
  const parts = Object.entries(PAGE_POLICY).map(([name, value]) => `${name} ${value}`);
  return [...parts, ...(frameAncestors === null ? [] : [`frame-ancestors ${frameAncestors}`])].join('; ');
}

/** Returns the policy of a page that reaches only its own origin, and that no site may frame. */
export const ownPolicyText = (): string =>
  Object.entries({ ...PAGE_POLICY, 'connect-src': "'self'", 'frame-ancestors': "'none'" })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/**
 * The patterns of the raw query of a page that takes no key. They are valid for every program that reads queries, whichever of
 * two values it uses and however it treats `;`: plain names with values, among them `embed=1` and `try=1`, each of them once. The
 * proxy's Caddyfile has the same patterns, so they are written without backslashes, for RE2.
 */
export const KEYLESS_QUERY = {
  all: ['^[a-z_-]+=[^&;]*(&[a-z_-]+=[^&;]*)*$', '(^|&)embed=1(&|$)', '(^|&)try=1(&|$)'],
  none: ['(^|&)embed=.*&embed=', '(^|&)try=.*&try='],
} as const;

/**
 * Returns the sites that may frame a page. A foreign page must not frame a page that can contain a key, because it could overlay
 * the page with its own buttons. A robot that runs only in the tab has no key: with `?embed=1&try=1` the page takes no key,
 * neither from its address nor from a person, so any site may show it.
 * @param query the address's raw query, without `?` @param allowed sites of the setting SIMPLESIM_FRAME_ANCESTORS
 */
export function frameAncestors(query: string, allowed: string): string {
  const matches = (pattern: string) => new RegExp(pattern).test(query);
  return KEYLESS_QUERY.all.every(matches) && !KEYLESS_QUERY.none.some(matches) ? '*' : allowed;
}

/**
 * Same as {@link frameAncestors}, but by the page's path: the page with an API key may never be framed, whatever its address is.
 */
export const frameAncestorsAt = (path: string, query: string, allowed: string): string =>
  isRobotsPage(path) ? "'none'" : frameAncestors(query, allowed);

const ORIGIN = /^https?:\/\/(?:\*\.)?[a-z0-9.-]+(?::(?:\d{1,5}|\*))?$|^https?:\/\/\[[0-9a-f:]+\](?::\d{1,5})?$/i;

/**
 * Parses the sites that may show the page in a frame: `self`, `none`, `*`, or origins separated by spaces or commas.
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

/** The browser features that the page uses. In a frame, they also need the permission of the framing site. */
export const PERMISSIONS_POLICY =
  'camera=(self), gamepad=(self), clipboard-read=(self), clipboard-write=(self), fullscreen=(self), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), midi=(), payment=()';
