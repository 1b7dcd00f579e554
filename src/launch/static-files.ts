import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Context } from 'hono';
import { getMimeType, mimes } from 'hono/utils/mime';
import { PRECOMPRESSED_END, readBuiltFile } from '../headless/built-file.ts';
import { MANUAL_PATH } from '../protocol/service/manual.ts';
import { isRobotsPage, ROBOTS_PATH } from '../protocol/service/robots-page.ts';
import { compress, encodingFor, precompressed } from './compression.ts';
import { frameAncestorsAt, PERMISSIONS_POLICY, policyText } from './page-policy.ts';

/**
 * The Referer must not contain a page's room key, and foreign pages must not read the files or inject them into frames by
 * guessing types.
 */
export const PAGE_HEADERS: Record<string, string> = {
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': PERMISSIONS_POLICY,
};
/** The script of `<simple-sim>` is for pages of any site, including those that require permission for every file. */
export const ELEMENT_PATH = '/simple-sim.js';
export const ELEMENT_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
const FOLDERS_WITH_INDEX: ReadonlySet<string> = new Set(['/', MANUAL_PATH]);
const MEDIA_TYPES = { ...mimes, md: 'text/markdown; charset=utf-8' };
/** Vite puts a hash of the content into the names of these. */
const HASHED = /^\/assets\/.+-[\w-]{8,}\.\w+$/;

/**
 * Answers with a file of a built page, `index.html` for `/` and for the manual; null for an unknown file. Reads only files inside
 * the folder, whatever the path contains and wherever links in the folder lead. Never reads files whose names start with a dot.
 * @param framedBy the sites that may show the page in a frame, as `readFrameAncestors` returns them
 */
export async function staticFile(c: Context, dir: string, framedBy: string): Promise<Response | null> {
  // Its pages link to each other relative to the folder. The redirect is relative, so that it works behind a proxy's prefix.
  if (c.req.path === MANUAL_PATH.slice(0, -1)) return c.redirect(`.${MANUAL_PATH}`, 308);
  // A single address, because the browser's history treats another address as another page.
  if (isRobotsPage(c.req.path) && c.req.path !== ROBOTS_PATH)
    return c.redirect(`${c.req.path.endsWith('/') ? '..' : '.'}${ROBOTS_PATH}`, 308);
  const urlPath = fileOf(c.req.path);
  const file = await locate(dir, urlPath);
  if (file === null) return null;
  const bytes = await readBuiltFile(file);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const mediaType = getMimeType(file.toLowerCase(), MEDIA_TYPES) ?? 'application/octet-stream';
  const encoding = encodingFor(c.req.header('accept-encoding'), mediaType, bytes.byteLength);
  const etag = encoding ? `"${hash}-${encoding}"` : `"${hash}"`;
  const headers = {
    ...PAGE_HEADERS,
    // Workers have the policy of their own file.
    'Content-Security-Policy': policyText(frameAncestorsAt(c.req.path, new URL(c.req.url).search.slice(1), framedBy)),
    ...(urlPath === ELEMENT_PATH ? ELEMENT_HEADERS : {}),
    'Content-Type': mediaType,
    'Cache-Control': cacheControl(urlPath),
    Vary: 'Accept-Encoding',
    ETag: etag,
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
  };
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers);
  if (!encoding) return c.body(bytes, 200, headers);
  const compressed = (await precompressed(file, encoding)) ?? (await compress(bytes, hash, encoding));
  return c.body(new Uint8Array(compressed), 200, headers);
}

function fileOf(path: string): string {
  if (path === ROBOTS_PATH) return `${ROBOTS_PATH}.html`;
  return FOLDERS_WITH_INDEX.has(path) ? `${path}index.html` : path;
}

function cacheControl(urlPath: string): string {
  if (urlPath.endsWith('.html')) return 'no-store';
  return HASHED.test(urlPath) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

async function locate(dir: string, urlPath: string): Promise<string | null> {
  let parts: string[];
  try {
    parts = decodeURIComponent(urlPath).split('/').slice(1);
  } catch {
    return null;
  }
  if (parts.some((part) => part === '' || part.startsWith('.') || /[\\\0]/.test(part))) return null;
  const path = join(dir, ...parts);
  if (extname(path) === '') return null;
  if (await isInside(dir, path)) return path;
  return (await isInside(dir, `${path}${PRECOMPRESSED_END}`)) ? path : null;
}

async function isInside(dir: string, path: string): Promise<boolean> {
  try {
    const [root, file] = await Promise.all([realpath(dir), realpath(path)]);
    return file.startsWith(root + sep);
  } catch {
    return false;
  }
}
