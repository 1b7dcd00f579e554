/**
 * Runs before every test file of the service that shares its process. The Node server of hono replaces Node's `Request`
 * and `Response` with its own, once and for good in a process. It does so here, and not in the first file that starts a server.
 */
import { getRequestListener } from '@hono/node-server';

getRequestListener(() => new Response());
