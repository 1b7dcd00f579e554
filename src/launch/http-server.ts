import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { LogEntry } from '../control-service/deps.ts';
import { requestIdOf } from '../control-service/request-id.ts';
import type { ErrorBody } from '../protocol/service/face-answers.ts';
import { SERVICE_ERRORS, type ServiceErrorCode } from '../protocol/service/service-errors.ts';

/** One HTTP port for everything. It listens from the start, and gets its application later. */
export interface HttpServer {
  readonly server: Server;
  readonly port: number;
  /** Stops accepting connections, lets running requests end for a while, then closes everything. May be called again. */
  close(): Promise<void>;
}

/** The handler of requests: a Hono application. */
interface Application {
  fetch(request: Request, env: RequestEnv): Response | Promise<Response>;
}

/** The data that the server passes to the application with a request. */
interface RequestEnv {
  requestId: string;
  /**
   * Registers a function that is called if the connection is reset after the response and before its next request: the client
   * closed it without reading the response.
   */
  whenReset(lost: () => void): void;
}

export interface HttpServerOptions {
  /** Address to listen at. @default 127.0.0.1 */
  host?: string;
  /** Key and certificate for https, in PEM; without them, it answers over http. */
  tls?: { key: string; cert: string };
  limits?: Partial<HttpLimits>;
  /** Receives the events of requests that never reach the application. */
  onLog?: (entry: LogEntry) => void;
  /** The setting of the port, for error messages. @default SIMPLESIM_PORT */
  portSetting?: string;
  /** The setting of the address, for error messages. @default SIMPLESIM_HOST */
  hostSetting?: string;
}

/** Limits on how clients use the server. The application limits bodies. */
export interface HttpLimits {
  /** Request line and headers. @default 16 KiB */
  headerMaxBytes: number;
  /** Time for a request's headers, from its first byte on. @default 10 s */
  headersTimeoutMs: number;
  /** Time for a whole request with its body. @default 30 s */
  requestTimeoutMs: number;
  /** Time for an idle connection; longer than proxies keep theirs, so that they never send into a closing one. @default 65 s */
  keepAliveTimeoutMs: number;
  /** Simultaneous connections. @default 1000 */
  connectionsMax: number;
  /** How long requests may continue after {@link HttpServer.close}. @default 10 s */
  drainTimeoutMs: number;
}

/** The default limits of a server. */
export const DEFAULT_LIMITS: HttpLimits = {
  headerMaxBytes: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  connectionsMax: 1_000,
  drainTimeoutMs: 10_000,
};

/** The TLS handshake failed: the client does not use TLS, or does not trust the certificate. */
const NO_HANDSHAKE = /^(?:ERR_SSL|ERR_TLS|EPROTO)/;

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The platform is reachable only from this machine. */
export const HTTP_HOST = '127.0.0.1';

/**
 * Opens the port. Every answer has an `X-Request-Id`, including those of the server itself (408, 431, …), which have the
 * service's error body.
 * @param port 0 takes any free one.
 * @param otherwise Handles requests that the application does not handle (Vite's dev server); without it the application handles
 * everything.
 * @throws If the port is busy; the message names it and what to do.
 */
export async function openHttpServer(
  port: number,
  app: Application,
  otherwise: (request: IncomingMessage) => NodeHandler | null = () => null,
  options: HttpServerOptions = {},
): Promise<HttpServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const onLog = options.onLog ?? (() => {});
  const requestIds = new AsyncLocalStorage<string>();
  const idOfRequest = () => requestIds.getStore() ?? '';
  const resets = new WeakMap<Duplex, () => void>();
  const envOf = (socket: Duplex): RequestEnv => ({
    requestId: idOfRequest(),
    whenReset: (lost) => void resets.set(socket, lost),
  });
  const handleByApp = getRequestListener((request, { incoming }) => app.fetch(request, envOf(incoming.socket ?? incoming)), {
    // Only unreadable requests come here: the application answers its own errors.
    errorHandler: () => {
      onLog({ level: 'info', event: 'request_unreadable', request_id: idOfRequest(), code: 'request.malformed' });
      const headers = { 'Content-Type': 'application/json' };
      return new Response(errorText('request.malformed', idOfRequest()), { status: 400, headers });
    },
  });
  /** Identified by the other end: over https, another socket replaces a connection's socket after the handshake. */
  const sockets = new Map<string, Socket>();
  const answering = new Map<Socket, ServerResponse>();
  let closing: Promise<void> | null = null;

  const settings = {
    maxHeaderSize: limits.headerMaxBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    // A request without a host is rejected like any other unreadable request.
    requireHostHeader: false,
  };
  const answer: NodeHandler = (request, response) => {
    const requestId = requestIdOf(request.headersDistinct['x-request-id']?.join(), randomBytes);
    response.setHeader('X-Request-Id', requestId);
    if (closing !== null) response.setHeader('Connection', 'close');
    answering.set(request.socket, response);
    // A client that sends another request has read the response to the last one.
    resets.delete(request.socket);
    response.once('close', () => {
      answering.delete(request.socket);
      if (closing !== null) request.socket.destroySoon();
    });
    const handler = otherwise(request) ?? handleByApp;
    requestIds.run(requestId, () => void handler(request, response));
  };
  const { tls } = options;
  const server = tls
    ? createTlsServer({ ...settings, ...tls, handshakeTimeout: limits.headersTimeoutMs }, answer)
    : createServer(settings, answer);
  server.maxConnections = limits.connectionsMax;
  const keep = (socket: Socket) => {
    const otherEnd = `${socket.remoteAddress} ${socket.remotePort}`;
    sockets.set(otherEnd, socket);
    socket.once('close', () => sockets.get(otherEnd) === socket && sockets.delete(otherEnd));
  };
  server.on('connection', keep);
  server.on('secureConnection', keep);
  server.on('drop', () => onLog({ level: 'warn', event: 'connection_dropped', connections_max: limits.connectionsMax }));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resets.get(socket)?.();
    const started = answering.get(socket as Socket)?.headersSent ?? false;
    // After an answer has begun, or without keys, nothing can be sent. An unused connection needs no answer (browsers open some).
    const isSpoken = socket.writable && (socket as Socket).bytesRead > 0;
    if (started || !isSpoken || error.code === 'ECONNRESET' || NO_HANDSHAKE.test(error.code ?? '')) {
      socket.destroy();
      return;
    }
    const requestId = requestIdOf(null, randomBytes);
    const code = refusalOf(error.code);
    onLog({ level: 'info', event: 'request_unreadable', request_id: requestId, code });
    socket.end(rawAnswer(code, requestId), () => socket.destroy());
  });

  const finish = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const response of answering.values()) if (!response.headersSent) response.setHeader('Connection', 'close');
    // Includes those that Node does not count as idle: unused connections, and upgraded WebSockets.
    for (const socket of sockets.values()) if (!answering.has(socket)) socket.destroy();
    const deadline = setTimeout(() => {
      for (const socket of sockets.values()) socket.destroy();
    }, limits.drainTimeoutMs);
    await closed;
    clearTimeout(deadline);
  };

  await new Promise<void>((resolve, reject) => {
    const { host = HTTP_HOST, portSetting = 'SIMPLESIM_PORT', hostSetting = 'SIMPLESIM_HOST' } = options;
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(listenTrouble(error, { port, host, portSetting, hostSetting }));
    });
    server.listen({ port, host }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The HTTP server has no port.');
  return {
    server,
    port: address.port,
    close: () => {
      closing ??= finish();
      return closing;
    },
  };
}

function refusalOf(errorCode: string | undefined): ServiceErrorCode {
  if (errorCode === 'HPE_HEADER_OVERFLOW') return 'request.headers_too_large';
  if (errorCode === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request.timeout';
  return 'request.malformed';
}

function errorText(code: ServiceErrorCode, requestId: string): string {
  const { summary, remedy } = SERVICE_ERRORS[code];
  const body: ErrorBody = { code, message: `${summary} ${remedy}`, details: { request_id: requestId } };
  return JSON.stringify(body);
}

/** Returns an answer for a connection without a valid request. */
function rawAnswer(code: ServiceErrorCode, requestId: string): string {
  const body = errorText(code, requestId);
  const status = SERVICE_ERRORS[code].status;
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

interface Place {
  port: number;
  host: string;
  portSetting: string;
  hostSetting: string;
}

function listenTrouble(error: NodeJS.ErrnoException, { port, host, portSetting, hostSetting }: Place): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`Port ${port} is in use. Stop the program that uses it, or set ${portSetting} to a free port.`);
    case 'EACCES':
    case 'EPERM':
      return new Error(
        `This user may not open port ${port} (${error.code}). Set ${portSetting} to a free port from 1024 on, or have a proxy before it.`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new Error(
        `This machine has no address "${host}" to listen at (${error.code}). Set ${hostSetting} to one of its own: 127.0.0.1 for this machine alone, 0.0.0.0 for every machine that reaches it.`,
      );
    default:
      return error;
  }
}
