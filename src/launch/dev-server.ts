import { readdirSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { LLMS_PATH, MANUAL_PATH } from '../protocol/service/manual.ts';
import { ROBOTS_PATH } from '../protocol/service/robots-page.ts';
import { PROJECT_DIR } from './installation.ts';
import { frameAncestorsAt } from './page-policy.ts';
import { ELEMENT_HEADERS, ELEMENT_PATH, PAGE_HEADERS } from './static-files.ts';

/** Vite's dev server behind the platform's own port. */
export interface DevServer {
  /** Returns the handler of a request for a part of the page; null for any other request. */
  handlerFor(request: IncomingMessage): ((request: IncomingMessage, response: ServerResponse) => void) | null;
  close(): Promise<void>;
}

export interface DevServerOptions {
  /** A folder whose files are never served, wherever it is. */
  dataDir: string;
  /** The sites that may show the page in a frame, as `readFrameAncestors` returns them. */
  framedBy: string;
  /** Names under which it is reached, in addition to localhost and addresses. */
  allowedHosts: readonly string[];
}

/** Folders of the page's parts. Other folders of the project contain keys, data and files of its user. */
const SERVED_FOLDERS = ['src', 'node_modules'];
/** Vite's own modules, whose names are not paths. */
const VITE_OWN = /^\/@(?:vite\/|id\/|react-refresh$|vite-plugin-)/;

/** Starts Vite for the viewer, with hot reload through the given server's port. */
export async function startDevServer(server: Server, { dataDir, framedBy, allowedHosts }: DevServerOptions): Promise<DevServer> {
  const secretFiles = `${dataDir.replaceAll('\\', '/').replace(/[[\]{}()*?!+@|]/g, '\\$&')}/**`;
  const vite = await import('vite');
  const dev = await vite.createServer({
    root: PROJECT_DIR,
    appType: 'spa',
    logLevel: 'warn',
    clearScreen: false,
    server: {
      middlewareMode: true,
      hmr: { server },
      headers: PAGE_HEADERS,
      // Pages of other origins have no access, including those of other ports of this machine.
      cors: false,
      allowedHosts: allowedHosts.map((name) => name.replace(/^\*/, '')),
      fs: {
        allow: ['index.html', 'robots.html', 'replay.html', ...SERVED_FOLDERS].map((name) => join(PROJECT_DIR, name)),
        deny: ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/.simplesim/**', secretFiles],
      },
      watch: {
        ignored: ['**/.simplesim/**', '**/.cache/**', '**/dist/**', '**/dist-*/**', '**/test-results/**', '**/deploy/**'],
      },
    },
  });
  const publicPaths = new Set([
    '/',
    '/index.html',
    '/replay.html',
    ROBOTS_PATH,
    ELEMENT_PATH,
    LLMS_PATH,
    ...pathsIn(join(PROJECT_DIR, 'public')),
  ]);
  return {
    handlerFor: (request) => {
      const path = pathOf(request.url ?? '');
      if (path === null || !(publicPaths.has(path) || path.startsWith(MANUAL_PATH) || VITE_OWN.test(path) || isServedFile(path)))
        return null;
      return (_, response) => {
        // Only this part of the built page's policy: hot reload needs inline scripts and styles.
        response.setHeader(
          'Content-Security-Policy',
          `frame-ancestors ${frameAncestorsAt(path, queryOf(request.url ?? ''), framedBy)}`,
        );
        if (path === ELEMENT_PATH) for (const [name, value] of Object.entries(ELEMENT_HEADERS)) response.setHeader(name, value);
        dev.middlewares(request, response);
      };
    },
    close: () => dev.close(),
  };
}

/** Returns the path of a request, if it can be read in only one way. */
function pathOf(url: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(/^[^?#]*/.exec(url)?.[0] ?? '');
  } catch {
    return null;
  }
  const isPlain =
    path.startsWith('/') && !/[\\\0%?#]/.test(path) && !path.split('/').some((part) => part === '..' || part === '.');
  return isPlain ? path : null;
}

const queryOf = (url: string): string => /\?([^#]*)/.exec(url)?.[1] ?? '';

/** Returns whether a path leads into a folder of the page's parts, from the project's root or (`/@fs/`) from that of the disk. */
function isServedFile(path: string): boolean {
  const project = PROJECT_DIR.split(sep).join('/');
  const fromDisk = path.startsWith('/@fs/') ? path.slice('/@fs'.length) : null;
  const inProject = fromDisk === null ? path.slice(1) : withoutStart(fromDisk, `${project}/`);
  return inProject !== null && SERVED_FOLDERS.includes(inProject.split('/')[0] ?? '') && inProject.includes('/');
}

const withoutStart = (text: string, start: string): string | null => (text.startsWith(start) ? text.slice(start.length) : null);

const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `/${relative(folder, join(parentPath, name)).split(sep).join('/')}`);
