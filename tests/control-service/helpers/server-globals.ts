/**
 * Before every file of the service that shares its process: Node's server of hono puts its own `Request` and `Response` in the place of
 * Node's, once for a process and for good. It does so here, and not in the first file that starts a server.
 */
import { getRequestListener } from '@hono/node-server';

getRequestListener(() => new Response());
