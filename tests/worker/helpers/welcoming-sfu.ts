import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in for an SFU that admits every client; no client joins it. @returns its address, and a function that stops it */
export async function startWelcomingSfu(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((_request, response) => response.end('success'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
