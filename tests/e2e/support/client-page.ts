/** The client library in a page of its own: bundled by Vite from its sources, as a web program would have it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'vite';
import type * as sdk from '../../../src/client/index.ts';

export type Sdk = typeof sdk;

const HTML = `<!doctype html><meta charset="utf-8"><title>client</title><link rel="icon" href="data:,"><script type="module">
import * as sdk from '/index.js';
globalThis.sdk = sdk;
</script>`;

/** Serves a page that has the library as `globalThis.sdk`, on an origin of its own. */
export async function serveClientPage(): Promise<{ url: string; stop(): Promise<void> }> {
  const files = await bundle();
  const server = createServer(({ url = '/' }, response) => {
    const code = files.get(url.slice(1));
    response.writeHead(code === undefined && url !== '/' ? 404 : 200, {
      'content-type': code === undefined ? 'text/html' : 'text/javascript',
    });
    response.end(code ?? HTML);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Code by file name; LiveKit's package for browsers is in it, and none for Node. */
async function bundle(): Promise<Map<string, string>> {
  const root = join(import.meta.dirname, '../../..');
  const lib = { entry: join(root, 'src/client/index.ts'), formats: ['es' as const], fileName: 'index' };
  const output = { entryFileNames: 'index.js', chunkFileNames: '[name].js' };
  const options = { write: false, target: 'es2022', lib, rolldownOptions: { output } };
  const built = await build({ root, configFile: false, publicDir: false, logLevel: 'warn', build: options });
  const outputs = Array.isArray(built) ? built : [built];
  const chunks = outputs.flatMap((one) => ('output' in one ? one.output : []));
  return new Map(chunks.map((chunk) => [chunk.fileName, 'code' in chunk ? chunk.code : '']));
}
