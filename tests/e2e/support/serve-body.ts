import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves a page of another site with this body, at a free port. */
export async function serveBody(body: string): Promise<{ url: string; origin: string; stop(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><meta charset="utf-8"><title>host</title><link rel="icon" href="data:,">${body}`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
