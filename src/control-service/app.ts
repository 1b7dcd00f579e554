import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ErrorBody } from '../protocol/control-service.ts';
import { findCaller } from './accounts.ts';
import type { ServiceDeps } from './deps.ts';
import { type Face, LIBRARY_FACE, PUBLIC_FACE } from './faces.ts';
import { describeRoute } from './openapi.ts';
import { readAs, readJsonBody } from './request-reading.ts';
import { type Route, routesOf } from './routes.ts';
import { ServiceError } from './service-error.ts';

/** What a request carries along inside the service. */
interface Env {
  Variables: { requestId: string };
}
type App = OpenAPIHono<Env>;

const TITLE = 'Robot Control Service';
const VERSION = '0.1.0';
const REQUEST_ID = /^[\w.-]{1,64}$/;

/**
 * The robot control service as a web application: `/v1` and `/rcs/v1` with their descriptions at `/openapi.json` and
 * `/rcs/openapi.json`. It keeps no state of its own; everything it uses is in `deps`.
 */
export function createApp(deps: ServiceDeps): App {
  const app: App = new OpenAPIHono<Env>();
  app.use(async (c, next) => {
    const given = c.req.header('x-request-id') ?? '';
    c.set('requestId', REQUEST_ID.test(given) ? given : `req_${Buffer.from(deps.randomBytes(12)).toString('hex')}`);
    const startedMs = deps.clock.nowMs();
    await next();
    c.header('X-Request-Id', c.get('requestId'));
    c.header('Cache-Control', 'no-store');
    c.header('X-Content-Type-Options', 'nosniff');
    deps.log({
      level: c.res.status >= 500 ? 'error' : 'info',
      event: 'request',
      request_id: c.get('requestId'),
      method: c.req.method,
      // The path without its query, which may hold anything.
      path: c.req.path,
      status: c.res.status,
      duration_ms: deps.clock.nowMs() - startedMs,
    });
  });
  app.onError((error, c) => refuse(deps, c, error));
  app.notFound((c) =>
    refuse(deps, c, new ServiceError(404, 'http.not_found', `There is nothing at ${c.req.method} ${c.req.path}.`)),
  );
  for (const face of [PUBLIC_FACE, LIBRARY_FACE]) mountFace(app, deps, face);
  return app;
}

function mountFace(app: App, deps: ServiceDeps, face: Face): void {
  const described = new OpenAPIHono();
  described.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', { type: 'http', scheme: 'bearer' });
  for (const route of routesOf(face)) {
    described.openAPIRegistry.registerPath(describeRoute(face, route));
    const path = `${face.prefix}${route.path.replace('{robot_id}', ':robot_id')}`;
    app.on(route.method.toUpperCase(), path, (c) => serve(deps, face, route, c));
  }
  app.get(`${face.prefix}/openapi.json`, (c) =>
    c.json(
      described.getOpenAPI31Document({
        openapi: '3.1.0',
        info: { title: `${TITLE}, ${face.name} face`, version: VERSION },
        servers: [{ url: face.prefix === '' ? '/' : face.prefix }],
      }),
    ),
  );
  // Whoever has no key learns nothing of what there is.
  app.all(`${face.prefix}/v1/*`, async (c) => {
    await authenticate(deps, c);
    const methods = routesOf(face).filter((route) => matches(`${face.prefix}${route.path}`, c.req.path));
    if (methods.length === 0) return c.notFound();
    const allowed = methods.map((route) => route.method.toUpperCase()).join(', ');
    throw new ServiceError(405, 'http.method_not_allowed', `${c.req.path} takes ${allowed}, not ${c.req.method}.`, {
      headers: { Allow: allowed },
    });
  });
}

async function serve(deps: ServiceDeps, face: Face, route: Route, c: Context<Env>): Promise<Response> {
  const caller = await authenticate(deps, c);
  const query = route.query ? readAs(route.query, c.req.query()) : undefined;
  const body = route.body ? readAs(route.body, await readJsonBody(c.req.raw)) : undefined;
  const outcome = await route.run(
    { deps, caller, robotId: c.req.param('robot_id') ?? '', signal: c.req.raw.signal },
    { query, body },
  );
  return outcome.kind === 'none' ? c.body(null, 204) : c.json(face.present(outcome) as object);
}

async function authenticate(deps: ServiceDeps, c: Context<Env>): Promise<{ accountId: string }> {
  const key = /^Bearer +(\S+)\s*$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const caller = key === undefined ? null : await findCaller(deps.db, deps.clock.nowMs(), key);
  if (!caller) throw ServiceError.unauthorized();
  return caller;
}

function refuse(deps: ServiceDeps, c: Context<Env>, error: unknown): Response {
  let refusal: ServiceError;
  if (error instanceof ServiceError) refusal = error;
  else {
    // The text of an unforeseen error may hold what a request held (a database names its parameters), so it is not logged.
    const name = error instanceof Error ? error.name : typeof error;
    const at = error instanceof Error ? (/\n\s+at (.+)/.exec(error.stack ?? '')?.[1] ?? null) : null;
    deps.log({ level: 'error', event: 'unforeseen_error', request_id: c.get('requestId'), name, at });
    refusal = new ServiceError(500, 'internal', 'The service failed. Try again; if it stays so, report the request id.');
  }
  const body: ErrorBody = {
    code: refusal.code,
    message: refusal.message,
    details: { ...refusal.details, request_id: c.get('requestId') },
  };
  return c.json(body, refusal.status, refusal.headers);
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith('{') || part === given[i]);
}
