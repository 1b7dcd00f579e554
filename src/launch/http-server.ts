import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';

/** One HTTP port for everything. It listens from the start, and is told later what there is behind it. */
export interface HttpServer {
  readonly server: Server;
  readonly port: number;
  close(): Promise<void>;
}

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The platform serves this machine alone. */
export const HTTP_HOST = '127.0.0.1';

/**
 * Opens the port.
 * @param port 0 takes any free one.
 * @param otherwise Handles what the application does not take (Vite's dev server); without it the application takes everything.
 * @throws When the port is busy; the message names it and says what to do.
 */
export async function openHttpServer(
  port: number,
  app: Hono,
  otherwise: (request: IncomingMessage) => NodeHandler | null,
): Promise<HttpServer> {
  const handleByApp = getRequestListener(app.fetch);
  const server = createServer((request, response) => {
    const handler = otherwise(request) ?? handleByApp;
    void handler(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? busy(port) : error));
    server.listen({ port, host: HTTP_HOST }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The HTTP server has no port.');
  return {
    server,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const busy = (port: number): Error =>
  new Error(`Port ${port} is in use. Stop the program that uses it, or set SIMPLESIM_PORT to a free port.`);
