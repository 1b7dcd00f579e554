import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { PAGE_HEADERS } from './static-files.ts';
import { PROJECT_DIR } from './viewer-build.ts';

/** Vite's dev server behind the platform's own port. */
export interface DevServer {
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}

/**
 * Starts Vite for the viewer, with hot reload over the given server's port.
 * @param dataDir A folder of which no file is ever served, wherever it is.
 */
export async function startDevServer(server: Server, dataDir: string): Promise<DevServer> {
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
      // Vite serves any file of the project; the keys of the platform must not be among them.
      fs: { deny: ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/.simplesim/**', secretFiles] },
      watch: { ignored: ['**/.simplesim/**', '**/.cache/**', '**/dist/**', '**/test-results/**'] },
    },
  });
  return { handle: (request, response) => dev.middlewares(request, response), close: () => dev.close() };
}
