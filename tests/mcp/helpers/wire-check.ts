import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  EmptyResultSchema,
  InitializeResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
  ListResourcesResultSchema,
  ListRootsRequestSchema,
  ListToolsResultSchema,
  ProgressNotificationSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { specTypeSchemas } from '@modelcontextprotocol/server';
import type { Generation } from './mcp-clients.ts';

interface Schema {
  '~standard': { validate(value: unknown): unknown };
}

/** The schemas of the messages that the server of the product may send. A message without a schema counts as a problem. */
interface Schemas {
  result: Schema;
  error: Schema;
  request: Schema;
  notification: Schema;
  /** By the method of the request. */
  results: Readonly<Record<string, Schema>>;
  /** By the method of the message, for requests and notifications. */
  messages: Readonly<Record<string, Schema>>;
}

/** From the library of each generation, which is made from the specification. */
const SCHEMAS: Readonly<Record<Generation, Schemas>> = {
  '2025-11-25': {
    result: JSONRPCResultResponseSchema,
    error: JSONRPCErrorResponseSchema,
    request: JSONRPCRequestSchema,
    notification: JSONRPCNotificationSchema,
    results: {
      initialize: InitializeResultSchema,
      ping: EmptyResultSchema,
      'tools/list': ListToolsResultSchema,
      'tools/call': CallToolResultSchema,
      'resources/list': ListResourcesResultSchema,
      'resources/read': ReadResourceResultSchema,
    },
    messages: {
      'notifications/progress': ProgressNotificationSchema,
      'elicitation/create': ElicitRequestSchema,
      'sampling/createMessage': CreateMessageRequestSchema,
      'roots/list': ListRootsRequestSchema,
    },
  },
  '2026-07-28': {
    result: specTypeSchemas.JSONRPCResultResponse,
    error: specTypeSchemas.JSONRPCErrorResponse,
    request: specTypeSchemas.JSONRPCRequest,
    notification: specTypeSchemas.JSONRPCNotification,
    results: {
      'server/discover': specTypeSchemas.DiscoverResult,
      'tools/list': specTypeSchemas.ListToolsResult,
      'tools/call': specTypeSchemas.CallToolResult,
      'resources/list': specTypeSchemas.ListResourcesResult,
      'resources/read': specTypeSchemas.ReadResourceResult,
    },
    messages: { 'notifications/progress': specTypeSchemas.ProgressNotification },
  },
};

/** Results that clients of 2026 may keep, so they state for how long. */
const CACHEABLE = ['server/discover', 'tools/list', 'resources/list', 'resources/read'];
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

type Message = Record<string, unknown>;
const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null;

/** Checks the messages of a server on one connection against the schemas of the protocol's generation. */
export class WireCheck {
  readonly #requests = new Map<unknown, { method: string; generation: Generation }>();
  #generation: Generation = '2025-11-25';

  /** Notes a message of the client. */
  sent(message: unknown): void {
    if (!isMessage(message) || typeof message.method !== 'string') return;
    const meta = isMessage(message.params) ? message.params._meta : undefined;
    this.#generation = isMessage(meta) && PROTOCOL_VERSION in meta ? '2026-07-28' : '2025-11-25';
    if ('id' in message) this.#requests.set(message.id, { method: message.method, generation: this.#generation });
  }

  /** Returns what the protocol rejects in a message of the server; null if nothing. */
  received(message: unknown): string | null {
    const problem = isMessage(message) ? this.#problemOf(message) : 'It is not an object.';
    return problem === null ? null : `The protocol rejects this message. ${problem}\n${JSON.stringify(message)}`;
  }

  #problemOf(message: Message): string | null {
    const asked = this.#requests.get(message.id);
    const generation = asked?.generation ?? this.#generation;
    const { result, error, request, notification, results, messages } = SCHEMAS[generation];
    if ('error' in message) return issueOf(error, message);
    if ('method' in message) {
      const schema = messages[`${message.method}`];
      return issueOf('id' in message ? request : notification, message) ?? issueOf(schema, message);
    }
    if (!asked) return 'No request has its id.';
    this.#requests.delete(message.id);
    const ofKind =
      generation === '2026-07-28'
        ? issueOf2026(asked.method, message.result as Message, results)
        : issueOf(results[asked.method], message.result);
    return issueOf(result, message) ?? ofKind;
  }
}

function issueOf(schema: Schema | undefined, value: unknown): string | null {
  if (!schema) return 'No message of this kind is expected.';
  const checked = schema['~standard'].validate(value) as { issues?: unknown };
  return checked.issues === undefined ? null : JSON.stringify(checked.issues);
}

/** The library of 2026 adds and removes some fields itself, so its schemas do not contain them. */
function issueOf2026(method: string, result: Message, results: Schemas['results']): string | null {
  const { resultType, inputRequests, ttlMs, cacheScope } = result;
  if (method === 'tools/call' && resultType === 'input_required') {
    const isAsking = isMessage(inputRequests) && Object.values(inputRequests).every((one) => isMessage(one) && 'method' in one);
    return isAsking ? null : 'Its inputRequests are missing or wrong.';
  }
  if (resultType !== 'complete') return 'Its resultType must be "complete".';
  const isKept = Number.isInteger(ttlMs) && Number(ttlMs) >= 0 && ['public', 'private'].includes(`${cacheScope}`);
  if (CACHEABLE.includes(method) && !isKept) return 'Its ttlMs or cacheScope is missing or wrong.';
  return issueOf(results[method], result);
}

/** The transport of a client of either library. */
interface ClientTransport {
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  send(message: never, options?: never): Promise<void>;
}

/** Checks each message that a client receives over its transport. Call this before the client connects. @returns the problems */
export function watchTransport(transport: ClientTransport): string[] {
  const check = new WireCheck();
  const problems: string[] = [];
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    check.sent(message);
    await send(message, options);
  };
  let watching: ClientTransport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    get: () => watching,
    set(deliver: ClientTransport['onmessage']) {
      watching = (message, extra) => {
        const problem = check.received(message);
        if (problem !== null) problems.push(problem);
        deliver?.(message, extra);
      };
    },
  });
  return problems;
}

/** Checks each message that passes through. Reads only what the client reads, and passes on every part before the next. */
export function checkedFetch(fetch: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  return async (request) => {
    const check = new WireCheck();
    if (request.method === 'POST') for (const message of messagesOf(await request.clone().text())) check.sent(message);
    const response = await fetch(request);
    const type = response.headers.get('content-type') ?? '';
    const isProtocol = type.startsWith('text/event-stream') || type.startsWith('application/json');
    if (response.body === null || !isProtocol) return response;
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await reader.read();
          text += decoder.decode(value, { stream: !done });
          if (!done) return controller.enqueue(value);
          for (const message of messagesOf(text)) {
            const problem = isProblemOfService(message) ? null : check.received(message);
            if (problem !== null) throw new Error(problem);
          }
          controller.close();
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

/** The service rejects some requests before they reach the protocol, with an error of its own form. */
const isProblemOfService = (message: unknown): boolean =>
  isMessage(message) && typeof message.code === 'string' && !('jsonrpc' in message);

/** Returns the messages of a body: JSON, or a stream of events. An unreadable body has none. */
function messagesOf(body: string): unknown[] {
  const parts =
    body.startsWith('{') || body.startsWith('[') ? [body] : [...body.matchAll(/^data: (.+)$/gm)].map(([, data]) => data ?? '');
  try {
    return parts.map((part) => JSON.parse(part));
  } catch {
    return [];
  }
}
