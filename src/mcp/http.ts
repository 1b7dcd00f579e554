import { setTimeout as sleep } from 'node:timers/promises';
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCRequest,
  isLegacyRequest,
  type McpServer,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { openSession, type Session } from './http-session.ts';
import { type SessionLimits, Sessions } from './http-sessions.ts';
import { jsonRpcError } from './json-rpc-error.ts';
import type { Delivery } from './server.ts';
import { type Exchange, watchBody } from './watched-body.ts';

/** The part of a server that belongs to HTTP. */
export interface HttpLink {
  /** The session of a client of 2025; null for clients of 2026, which have none. */
  sessionId: string | null;
  /** Reports to `delivery` whether the client has read the whole response to the request of this context. */
  whenDelivered(context: ServerContext, delivery: Delivery): void;
}

export interface McpHttpOptions<C> {
  /** Creates the server for one request, or for one session of 2025. */
  createServer(client: C, link: HttpLink): Server | McpServer;
  /** Returns the owner of a client's sessions. For other owners these sessions do not exist. */
  ownerOf(client: C): string;
  /** Called when a session has ended. */
  onSessionEnd?(client: C, sessionId: string): void;
  newSessionId(): string;
  /** Milliseconds, any origin; never goes back. */
  nowMs(): number;
  limits: SessionLimits;
  /** Receives messages about requests that the protocol rejects. */
  onTrouble?(message: string): void;
}

/** A request that has passed the checks of the server around the protocol. */
export interface McpHttpRequest<C> {
  request: Request;
  client: C;
  /** The parsed body of a POST. */
  body: unknown;
  /** Called once the response was read to its end, or will not be. Not called if `fetch` rejects. */
  onOver(): void;
  /** Registers a function for a connection that is reset after the response, because the client closed it without reading. */
  whenReset?: ((lost: () => void) => void) | undefined;
}

/** The Model Context Protocol over HTTP. */
export interface McpHttp<C> {
  /** Answers a request. If its signal fires, or the body of the response is cancelled, the calls of the request are cancelled. */
  fetch(asked: McpHttpRequest<C>): Promise<Response>;
  /** Waits a moment for running requests, then cancels them and ends all sessions. */
  close(): Promise<void>;
}

/**
 * Serves both generations of the protocol: requests of 2026-07-28 without a state, and clients of 2025 in sessions. Without a
 * session, the cancel of a client of 2025 would not reach the call that it cancels.
 */
export function createMcpHttp<C>(options: McpHttpOptions<C>): McpHttp<C> {
  const { createServer, ownerOf, nowMs, limits } = options;
  const exchanges = new WeakMap<Request, Exchange & { client: C }>();
  const open = new Set<Promise<void>>();
  const sessions = new Sessions(limits, nowMs);
  const onTrouble = ({ message }: Error): void => options.onTrouble?.(message);

  const whenDelivered: HttpLink['whenDelivered'] = ({ http }, delivery) => {
    const exchange = http?.req && exchanges.get(http.req);
    exchange?.deliveries.push(delivery);
  };

  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo);
      if (!exchange) throw new Error('The request is unknown.');
      return createServer(exchange.client, { sessionId: null, whenDelivered });
    },
    { legacy: 'reject', onerror: onTrouble },
  );

  /** Returns the session of a request, a new one for a client that initializes, or the refusal. */
  async function sessionOf({ request, client, body }: McpHttpRequest<C>): Promise<Session | Response> {
    const owner = ownerOf(client);
    const givenId = request.headers.get('mcp-session-id');
    if (givenId !== null) return sessions.find(givenId, owner) ?? jsonRpcError(404, -32_001, UNKNOWN_SESSION);
    if (!isInitializeRequest(body)) return jsonRpcError(400, -32_000, NO_SESSION);
    if (!sessions.makeRoom(owner)) return jsonRpcError(429, -32_000, TOO_MANY_SESSIONS);
    const id = options.newSessionId();
    const session = await openSession({
      id,
      owner,
      createServer: () => createServer(client, { sessionId: id, whenDelivered }),
      onEnd: () => {
        sessions.remove(id);
        options.onSessionEnd?.(client, id);
      },
      onTrouble,
    });
    sessions.add(session);
    return session;
  }

  async function serveLegacy(asked: McpHttpRequest<C>, exchange: Exchange): Promise<Response> {
    const { request, body } = asked;
    const session = await sessionOf(asked);
    if (session instanceof Response) return session;
    const ids = (Array.isArray(body) ? body : [body]).filter(isJSONRPCRequest).map(({ id }) => id);
    exchange.onBroken = () => session.cancel(ids);
    const { transport } = session;
    const response = await transport.handleRequest(request, parsed(body));
    // A session that was not initialized has no client.
    if (transport.sessionId === undefined) void session.close();
    return response;
  }

  async function respond(asked: McpHttpRequest<C>, exchange: Exchange): Promise<Response> {
    const { request, body } = asked;
    // The server sends nothing on its own, so it has no stream of its own.
    if (request.method !== 'POST' && request.method !== 'DELETE') {
      return jsonRpcError(405, -32_000, 'Send requests with POST, and end a session with DELETE.', { Allow: 'POST, DELETE' });
    }
    return (await isLegacyRequest(request, body)) ? serveLegacy(asked, exchange) : modern.fetch(request, parsed(body));
  }

  return {
    async fetch(asked) {
      const { request, client } = asked;
      let note = (): void => undefined;
      const over = new Promise<void>((resolve) => {
        note = resolve;
      });
      const exchange: Exchange & { client: C } = {
        client,
        deliveries: [],
        whenReset: asked.whenReset,
        onBroken: () => undefined,
        onOver() {
          open.delete(over);
          note();
          asked.onOver();
        },
      };
      exchanges.set(request, exchange);
      open.add(over);
      try {
        return watchBody(await respond(asked, exchange), exchange, request.signal);
      } catch (error) {
        open.delete(over);
        note();
        throw error;
      }
    },
    async close() {
      await Promise.race([Promise.all(open), sleep(CLOSE_MAX_MS, undefined, { ref: false })]);
      await Promise.all([modern.close(), sessions.closeAll()]);
    },
  };
}

const parsed = (body: unknown): { parsedBody?: unknown } => (body === undefined ? {} : { parsedBody: body });

/** Within this time, clients receive the replies about actions that have ended. */
const CLOSE_MAX_MS = 1_000;

const NO_SESSION = 'The request has no session. Send "initialize" first, then its Mcp-Session-Id with every request.';
const UNKNOWN_SESSION =
  'There is no session of this id; it ended, or the service was restarted. Send "initialize" for a new one.';
const TOO_MANY_SESSIONS = 'All sessions of this client are in use. End one with DELETE, then try again.';
