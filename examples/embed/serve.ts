/**
 * Serves the host page of this folder on a site of its own: `npx tsx examples/embed/serve.ts [address of the viewer]`. The viewer
 * is that of `npm start` unless another is given.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const DEFAULT_VIEWER = 'http://127.0.0.1:8080';
const DEFAULT_PORT = 8090;
const FILES: Record<string, readonly [name: string, type: string]> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/host.css': ['host.css', 'text/css; charset=utf-8'],
  '/host.js': ['host.js', 'text/javascript; charset=utf-8'],
};

/** Serves the page. @param viewerUrl where simple-sim.js is @param port 0 takes any free one */
export async function serveHostPage(viewerUrl: string, port: number): Promise<{ url: string; stop(): Promise<void> }> {
  const viewer = new URL(viewerUrl).origin;
  // A host may be as strict as it likes: this is all that the element needs.
  const policy = `default-src 'none'; script-src 'self' ${viewer}; style-src 'self'; frame-src ${viewer}; img-src 'self' blob: data:`;
  const server = createServer(async ({ url = '/' }, response) => {
    const [name, type] = FILES[url.replace(/\?.*$/, '')] ?? [];
    if (name === undefined || type === undefined) {
      response.writeHead(404).end();
      return;
    }
    const text = await readFile(join(import.meta.dirname, name), 'utf8');
    response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy });
    response.end(text.replaceAll('{{viewer}}', viewer));
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url } = await serveHostPage(process.argv[2] ?? DEFAULT_VIEWER, DEFAULT_PORT);
  console.log(`A page with a robot in it: ${url}\nCtrl-C ends it.`);
}
