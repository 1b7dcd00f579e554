import { createHash, timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { errorFacts } from '../common/error-facts.ts';
import { createMcpServer } from '../mcp/server.ts';
import { isFitText } from '../protocol/service/control-requests.ts';
import type { ErrorBody } from '../protocol/service/face-answers.ts';
import { isServiceErrorCode } from '../protocol/service/service-errors.ts';
import { isStop } from './account-shares.ts';
import { findCaller, whyCallerEnded } from './accounts.ts';
import { apiPageFile } from './api-page.ts';
import type { Caller, KnownCaller } from './caller.ts';
import { databaseRemedy, isDatabaseDown } from './db/postgres-server.ts';
import type { LogEntry, ServiceDeps } from './deps.ts';
import { type Face, LIBRARY_FACE, type Outcome, PUBLIC_FACE } from './faces.ts';
import { type KeyedWait, KeyWatch } from './key-watch.ts';
import { type ConnectionEnv, MCP_PATHS, mcpHandler } from './mcp-routes.ts';
import { describeFace, serversOf } from './openapi.ts';
import { endsWithin, promptly } from './promptly.ts';
import { requestIdOf } from './request-id.ts';
import { readAs, readJson, readPromptly, readQuery, readWhole } from './request-reading.ts';
import type { Request, Route } from './route.ts';
import { routesOf } from './routes.ts';
import { hashApiKey } from './secrets.ts';
import { ServiceError } from './service-error.ts';

/** The data that a request carries inside the service. */
interface Env {
  /** The data that the listening server passes with a request. */
  Bindings: { requestId?: string } & ConnectionEnv;
  Variables: { requestId: string; facts: RequestFacts };
}
type App = Hono<Env>;

/** The known facts about a request; the log and the metrics use them. */
interface RequestFacts {
  face: Face['name'] | 'none';
  /** The route pattern of its address. The address itself may contain anything. */
  route: string;
  robotId?: string;
  accountId?: string;
  /** The error code of the rejection. */
  code?: string;
}

/**
 * The readers of `/metrics`: no one (the address does not exist), every client that reaches the port, or holders of the token.
 */
export type MetricsAccess = 'nobody' | 'anybody' | { token: string };

export interface AppOptions {
  /** @default `'nobody'` */
  metricsAccess?: MetricsAccess;
  /** Longest time for an operation that does not wait for a robot. @default 25 s, less than clients wait (30 s) */
  operationLimitMs?: number;
  /** How often the keys of waiting requests are checked. @default 1 s, in an attempt to reach a robot */
  keysLookedAtEveryMs?: number;
  /** Returns whether this address serves a caller. The key of any other caller counts as unknown. @default every caller */
  serves?: (caller: Caller) => boolean;
  /** Creates the servers of the Model Context Protocol. @default those of the product; a test of the protocol adds tools */
  mcpServer?: typeof createMcpServer;
}

/** The longest time for an operation that does not wait for a robot. */
export const OPERATION_LIMIT_MS = 25_000;
const KEYS_LOOKED_AT_EVERY_MS = 1_000;
/** Most bodies come with the headers, or in the next packet. */
const BODY_AT_ONCE_MS = 5;
/** The form of the ids that the service creates. Text of another form is not logged. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Longer than any method that Node accepts. Without its server, the application accepts any method. */
const METHOD_LOGGED_MAX_LENGTH = 20;
/** A path prefix that a proxy may report as removed. */
const PATH_PREFIX = /^(?:\/[\w.~-]{1,64}){1,8}$/;
/** For the log and the metrics, as in nginx: the client has disconnected and no answer reaches it. */
const CLIENT_GONE = 499;

/** Every page may call the service: a call needs a key in its header, and the service ignores cookies. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, Allow, WWW-Authenticate',
};
const PREFLIGHT_HEADERS = {
  // The star covers every header except Authorization (Fetch standard, "CORS non-wildcard request-header name").
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Request-Id, *',
  'Access-Control-Max-Age': '7200',
};

interface Service {
  deps: ServiceDeps;
  keyWatch: KeyWatch;
  operationLimitMs: number;
  serves: (caller: Caller) => boolean;
}

/**
 * Creates the robot control service as a web application: `/v1` and `/rcs/v1`, `openapi.json` and a page to browse it (`docs`)
 * for each face, `/mcp`, and `/metrics`. The application itself owns only the watch over the keys of its waiting requests. All other
 * state is in `deps`, which every other part of this instance shares.
 */
export function createApp(deps: ServiceDeps, options: AppOptions = {}): App {
  const { metricsAccess = 'nobody', operationLimitMs = OPERATION_LIMIT_MS, serves = () => true } = options;
  const keyWatch = new KeyWatch(deps, options.keysLookedAtEveryMs ?? KEYS_LOOKED_AT_EVERY_MS);
  const service: Service = { deps, keyWatch, operationLimitMs, serves };
  // A trailing slash is ignored.
  const app: App = new Hono<Env>({ strict: false });
  app.use(async (c, next) => {
    // Without a server in front, there is no environment.
    const requestId =
      (c.env as Env['Bindings'] | undefined)?.requestId ?? requestIdOf(c.req.header('x-request-id'), deps.randomBytes);
    c.set('requestId', requestId);
    c.set('facts', { face: 'none', route: 'none' });
    const startedMs = deps.clock.monotonicMs();
    await next();
    c.header('X-Request-Id', requestId);
    c.header('X-Content-Type-Options', 'nosniff');
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
    note(service, c, deps.clock.monotonicMs() - startedMs);
  });
  app.onError((error, c) => refuse(service, c, error));
  app.notFound((c) => refuse(service, c, ServiceError.notServed(c.req.method, c.req.path)));
  for (const face of [PUBLIC_FACE, LIBRARY_FACE]) mountFace(app, service, face);
  const { mcpServer = createMcpServer } = options;
  const mcp = mcpHandler({ deps, keyWatch, createServer: mcpServer, authenticate: (c) => authenticate(service, c) });
  for (const path of MCP_PATHS) {
    app.all(path, (c) => {
      c.get('facts').route = path;
      const robotId = c.req.param('robot_id') ?? '';
      if (UUID.test(robotId)) c.get('facts').robotId = robotId;
      return mcp(c);
    });
  }
  app.get('/metrics', (c) => showMetrics(service, metricsAccess, c));
  return app;
}

function mountFace(app: App, service: Service, face: Face): void {
  const routes = routesOf(face);
  const root = `${face.prefix}/v1/*`;
  for (const path of [root, `${face.prefix}/openapi.json`]) {
    app.use(path, async (c, next) => {
      c.get('facts').face = face.name;
      await next();
      for (const [name, value] of Object.entries(CORS_HEADERS)) c.header(name, value);
    });
  }
  for (const route of routes) {
    const path = `${face.prefix}${route.path.replace(/\{(\w+)\}/g, ':$1')}`;
    app.on(route.method.toUpperCase(), path, (c) => serve(service, face, route, c));
  }
  app.options(root, (c) => {
    const allowed = allowedMethods(face, routes, c);
    if (allowed === null) return c.notFound();
    return c.body(null, 204, { ...PREFLIGHT_HEADERS, Allow: allowed, 'Access-Control-Allow-Methods': allowed });
  });
  // A caller without a key does not learn which addresses exist.
  app.all(root, async (c) => {
    await authenticate(service, c);
    const allowed = allowedMethods(face, routes, c);
    if (allowed === null) return c.notFound();
    throw ServiceError.methodNotAllowed(c.req.method, c.req.path, allowed);
  });

  let description: ReturnType<typeof describeFace> | null = null;
  app.get(`${face.prefix}/openapi.json`, (c) => {
    c.get('facts').route = '/openapi.json';
    description ??= describeFace(face);
    return c.json({ ...description, servers: serversOf(face, prefixBefore(c)) });
  });
  const page = async (c: Context<Env>): Promise<Response> => {
    const facts = c.get('facts');
    facts.face = face.name;
    facts.route = '/docs';
    // The addresses in the page are relative to it, and Hono has removed the slash from its path.
    if (new URL(c.req.url).pathname.endsWith('/docs/')) return c.body(null, 308, { Location: '../docs' });
    const found = await apiPageFile(c.req.param('file') ?? '');
    return found === null ? c.notFound() : c.body(found.body, 200, { ...found.headers, 'Cache-Control': 'no-cache' });
  };
  app.get(`${face.prefix}/docs`, page);
  app.get(`${face.prefix}/docs/:file`, page);
}

async function serve(service: Service, face: Face, route: Route, c: Context<Env>): Promise<Response> {
  const facts = c.get('facts');
  facts.route = route.path;
  const robotId = c.req.param('robot_id') ?? '';
  const keyId = c.req.param('key_id') ?? '';
  const linkId = c.req.param('link_id') ?? '';
  const { caller, json } = await admit(service, route, c);
  if (UUID.test(robotId)) facts.robotId = robotId;
  const query = route.query ? readQuery(route.query, c.req.queries()) : undefined;
  const body = route.body ? readAs(route.body, json) : undefined;
  // No database accepts such an id, so no robot has it.
  if (!isFitText(robotId)) throw ServiceError.robotNotFound();
  const overdue = new AbortController();
  const leave = enter(service, caller, route, body);
  // A stop that was accepted continues.
  const keyed = route.isUrgent ? null : service.keyWatch.watch(caller.keyId);
  const signal = AbortSignal.any([c.req.raw.signal, overdue.signal, ...(keyed ? [keyed.signal] : [])]);
  const request: Request = { deps: service.deps, caller, robotId, keyId, linkId, signal };
  const running = route
    .run(request, { query, body })
    .then((outcome) => {
      noteRights(request, route, outcome);
      return giveOut(request, route, outcome, keyed);
    })
    .catch((error: unknown) => {
      // An aborted operation reports the abort in its own way; the reason is in the signal.
      throw keyed?.signal.aborted && !(error instanceof ServiceError) ? keyed.signal.reason : error;
    })
    // An operation that continues after its answer still counts against its share.
    .finally(() => {
      keyed?.over();
      leave();
    });
  const outcome = await (route.waits ? running : within(service.operationLimitMs, running, overdue));
  return outcome.kind === 'none' ? c.body(null, 204) : c.json(face.present(outcome) as object);
}

/**
 * Accepts a request, with its body. The key is looked up when the body is complete, and the operation begins as soon as the
 * database has answered. A revocation can be missed only if it is answered while that answer is on its way. A body that takes
 * longer than usual does not delay the rejection of a wrong key, and costs a second lookup.
 */
async function admit(service: Service, route: Route, c: Context<Env>): Promise<{ caller: KnownCaller; json: unknown }> {
  if (!route.body) return { caller: await authenticate(service, c, route), json: undefined };
  keyIn(c);
  const reading = readWhole(c.req.raw);
  const wasThere = await endsWithin(BODY_AT_ONCE_MS, reading);
  const caller = await authenticate(service, c, route);
  if (route.isUrgent) return { caller, json: await readPromptly(c.req.raw, reading) };
  const bytes = await reading;
  if (!wasThere) await refuseEnded(service.deps, caller);
  return { caller, json: readJson(c.req.raw, bytes) };
}

/**
 * Returns the outcome if it may be answered.
 * @throws 401 if the key has ended meanwhile, for a read and for an operation that can be taken back
 */
async function giveOut(request: Request, route: Route, outcome: Outcome, keyed: KeyedWait | null): Promise<Outcome> {
  // A rejected read loses nothing. A change that cannot be taken back is answered.
  if (route.method === 'get') keyed?.signal.throwIfAborted();
  if (!route.takeBack) return outcome;
  try {
    await refuseEnded(request.deps, request.caller);
  } catch (error) {
    await route.takeBack(request, outcome);
    throw error;
  }
  return outcome;
}

/** Remembers the caller's robots that an operation has shown. Emergency stops rely on them when the database is unavailable. */
function noteRights({ deps, caller, robotId }: Request, { operationId, isUrgent }: Route, outcome: Outcome): void {
  const { memory, clock } = deps;
  // A press may rely on this memory, so it must not renew it.
  if (isUrgent) return;
  if (operationId === 'deleteRobot') memory.rights.forgetRobot(robotId);
  else if (robotId !== '') memory.rights.noteRobots(caller.accountId, [robotId], clock);
  else memory.rights.noteRobots(caller.accountId, robotsIn(outcome), clock);
}

function robotsIn(outcome: Outcome): string[] {
  switch (outcome.kind) {
    case 'created':
      return [outcome.robot.id];
    case 'robots':
      return outcome.robots.map(({ id }) => id);
    case 'sessions':
      return outcome.states.map(({ robot_id: id }) => id);
    default:
      return [];
  }
}

async function refuseEnded(deps: ServiceDeps, caller: KnownCaller): Promise<void> {
  const ended = await whyCallerEnded(deps, caller);
  if (ended !== null) throw ServiceError.unauthorized(ended);
}

/** Counts a request against the share of its account. @returns a function that gives the share back @throws 429 */
function enter({ deps }: Service, { accountId }: Caller, route: Route, body: unknown): () => void {
  if (route.isUrgent) return () => {};
  const { shares } = deps.memory;
  const { waitingCommands, requestsAtOnce } = deps.settings.accountLimits;
  if (!route.waits) return shares.enter(accountId, 'requests_at_once', requestsAtOnce);
  // The robot is unknown at this point, and the limit for stops depends on the robot. The stop gets its place when its robot is
  // known.
  return isStop(body) ? () => {} : shares.enter(accountId, 'waiting_commands', waitingCommands);
}

/**
 * Finds the caller of a request. A safety action does not wait for an unresponsive database: a key that this instance has
 * recently accepted counts (`recent-rights.ts`).
 * @throws 401, 503
 */
async function authenticate(
  { deps, serves }: Service,
  c: Context<Env>,
  { isUrgent = false }: Partial<Route> = {},
): Promise<KnownCaller> {
  const { clock, memory } = deps;
  const key = keyIn(c);
  const hash = hashApiKey(key);
  const looking = findCaller(deps.db, clock.nowMs(), key, !isUrgent).then((caller) => {
    if (typeof caller === 'string') memory.rights.forgetKey({ hash });
    else memory.rights.noteKey(hash, caller, clock);
    return caller;
  });
  const caller = isUrgent ? await promptly(looking, () => memory.rights.callerOf(hash, clock)) : await looking;
  if (typeof caller === 'string') throw ServiceError.unauthorized(caller);
  if (!serves(caller)) throw ServiceError.unauthorized('unknown');
  c.get('facts').accountId = caller.accountId;
  return caller;
}

/** Returns the API key of a request. @throws 401 */
function keyIn(c: Context<Env>): string {
  const header = c.req.header('authorization')?.trim() ?? '';
  const key = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (key === undefined) throw ServiceError.unauthorized(header === '' ? 'missing' : 'malformed');
  return key;
}

/**
 * Returns the result of an operation, or reports that it did not end in time. In that case everything that can be undone is
 * undone, and the rest continues.
 */
async function within<T>(limitMs: number, running: Promise<T>, overdue: AbortController): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      overdue.abort();
      reject(ServiceError.tooLong(limitMs / 1000));
    }, limitMs);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

function refuse({ deps }: Service, c: Context<Env>, error: unknown): Response {
  const requestId = c.get('requestId');
  const facts = c.get('facts');
  if (c.req.raw.signal.aborted && !(error instanceof ServiceError)) {
    facts.code = 'client.gone';
    return new Response(null, { status: CLIENT_GONE });
  }
  const refusal =
    error instanceof ServiceError
      ? error
      : isDatabaseDown(error)
        ? ServiceError.databaseUnavailable()
        : ServiceError.unforeseen();
  if (refusal !== error) {
    deps.log({ level: 'error', ...seenOf(error), request_id: requestId, ...errorFacts(error) });
  }
  facts.code = refusal.code;
  if (isServiceErrorCode(refusal.code) && refusal.code.startsWith('claim.')) {
    deps.metrics.claimRefused(refusal.code.slice('claim.'.length));
  }
  const body: ErrorBody = {
    code: refusal.code,
    message: refusal.message,
    details: { ...refusal.details, request_id: requestId },
  };
  return c.json(body, refusal.status, refusal.headers);
}

/** Returns the log fields of an unexpected error. */
function seenOf(error: unknown): { event: string; message?: string } {
  const remedy = databaseRemedy(error);
  if (remedy !== null) return { event: 'database_disk_full', message: remedy };
  return { event: isDatabaseDown(error) ? 'database_unavailable' : 'unforeseen_error' };
}

function note({ deps }: Service, c: Context<Env>, durationMs: number): void {
  const { face, route, robotId, accountId, code } = c.get('facts');
  const { method } = c.req;
  const { status } = c.res;
  deps.metrics.requestAnswered({ face, route, method, status, durationMs });
  const entry: LogEntry = { level: status >= 500 ? 'error' : 'info', event: 'request', request_id: c.get('requestId') };
  deps.log({
    ...entry,
    method: method.slice(0, METHOD_LOGGED_MAX_LENGTH),
    face,
    route,
    robot_id: robotId,
    account_id: accountId,
    status,
    code,
    duration_ms: durationMs,
  });
}

async function showMetrics({ deps: { metrics } }: Service, access: MetricsAccess, c: Context<Env>): Promise<Response> {
  if (access === 'nobody') return c.notFound();
  c.get('facts').route = '/metrics';
  if (access !== 'anybody') {
    const given = /^Bearer +(\S+)\s*$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(given), digest(access.token))) throw ServiceError.wrongMetricsToken();
  }
  return c.body(await metrics.read(), 200, { 'Content-Type': metrics.contentType });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns the methods of the address that a request names; null if the address does not exist. */
function allowedMethods(face: Face, routes: Route[], c: Context<Env>): string | null {
  const here = routes.filter((route) => matches(`${face.prefix}${route.path}`, c.req.path));
  if (here[0] === undefined) return null;
  c.get('facts').route = here[0].path;
  const methods = here.map((route) => route.method.toUpperCase());
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ');
}

/** Returns the path prefix that a proxy has removed, as the proxy reports it. */
function prefixBefore(c: Context): string {
  const prefix = (c.req.header('x-forwarded-prefix') ?? '').replace(/\/$/, '');
  return PATH_PREFIX.test(prefix) ? prefix : '';
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length && wanted.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]))
  );
}
