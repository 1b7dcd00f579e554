import { specTypeSchemas } from '@modelcontextprotocol/client';
import { isRecord } from '../../src/common/schema-texts.ts';

/**
 * A watcher of the bytes that a server sends to one client, whatever carries them. Each message must be valid by the schemas of the
 * specification, and progress must be as clients can bear it.
 */
export interface MessageWatch {
  /** Notes a message of the client. */
  sent(message: unknown): void;
  /** Takes the text of one message of the server: a line, the data of an event, or a body. */
  received(text: string): void;
  /** The breaches, each a sentence. */
  readonly problems: string[];
  readonly counts: { requests: number; results: number; progress: number; bytes: number };
  /** Called with each text of the server. */
  onText: ((text: string) => void) | null;
}

interface Asked {
  method: string;
  token: unknown;
  progress: number;
  isOver: boolean;
  order: number;
}

const PROGRESS_TEXT_MAX_CHARS = 200;
const PROBLEMS_MAX = 20;

/** The schema of the result of each method. */
const RESULTS: Record<string, keyof typeof specTypeSchemas> = {
  initialize: 'InitializeResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/read': 'ReadResourceResult',
};

export function createMessageWatch(): MessageWatch {
  const asked = new Map<unknown, Asked>();
  /** By token: the request that used it last. */
  const tokens = new Map<unknown, Asked>();
  const cancelled: { id: unknown; order: number }[] = [];
  const problems: string[] = [];
  const counts = { requests: 0, results: 0, progress: 0, bytes: 0 };
  let order = 0;
  const fail = (what: string): void => {
    if (problems.length < PROBLEMS_MAX) problems.push(what);
  };

  function require(name: keyof typeof specTypeSchemas, value: unknown): void {
    const read = specTypeSchemas[name]['~standard'].validate(value);
    if (!(read instanceof Promise) && read.issues)
      fail(`a message is not a ${name}: ${JSON.stringify(read.issues[0])} in ${JSON.stringify(value).slice(0, 300)}`);
  }

  /** The server has answered a later request, so it has read every cancel before it. */
  function settleCancels(before: number): void {
    for (const cancel of cancelled.splice(0)) {
      const request = asked.get(cancel.id);
      if (cancel.order >= before) cancelled.push(cancel);
      else if (request) request.isOver = true;
    }
  }

  function noteResult({ id, result, error }: Record<string, unknown>): void {
    const request = asked.get(id);
    counts.results += 1;
    if (request === undefined) {
      // A request that was not readable has no id.
      if (id !== null && id !== undefined) fail(`a result of the unknown request ${JSON.stringify(id)}`);
      return;
    }
    if (request.isOver) fail(`a result of the request ${JSON.stringify(id)}, whose cancel was read before`);
    request.isOver = true;
    // A second result would be that of an unknown request.
    asked.delete(id);
    settleCancels(request.order);
    const schema = RESULTS[request.method];
    if (error === undefined && schema !== undefined) require(schema, result);
  }

  function noteProgress(params: Record<string, unknown>): void {
    counts.progress += 1;
    const { progressToken: token, progress, message } = params;
    const request = tokens.get(token);
    if (request === undefined) {
      fail(`progress with the unknown token ${JSON.stringify(token)}`);
      return;
    }
    if (request.isOver) fail(`progress after the result, with the token ${JSON.stringify(token)}`);
    if (typeof progress !== 'number' || progress <= request.progress)
      fail(`progress does not rise: ${String(progress)} after ${request.progress}`);
    else request.progress = progress;
    if (typeof message === 'string' && message.length > PROGRESS_TEXT_MAX_CHARS)
      fail(`progress with a text of ${message.length} characters`);
  }

  const watch: MessageWatch = {
    problems,
    counts,
    onText: null,
    sent(message) {
      if (!isRecord(message)) return;
      const { id, method } = message;
      const params = isRecord(message.params) ? message.params : {};
      order += 1;
      if (method === 'notifications/cancelled') cancelled.push({ id: params.requestId, order });
      if (id === undefined || typeof method !== 'string') return;
      counts.requests += 1;
      const token = isRecord(params._meta) ? params._meta.progressToken : undefined;
      const request = { method, token, progress: Number.NEGATIVE_INFINITY, isOver: false, order };
      asked.set(id, request);
      if (token !== undefined) tokens.set(token, request);
    },
    received(text) {
      counts.bytes += text.length;
      watch.onText?.(text);
      let message: unknown;
      try {
        message = JSON.parse(text);
      } catch {
        fail(`unreadable bytes: ${text.slice(0, 200)}`);
        return;
      }
      require('JSONRPCMessage', message);
      if (!isRecord(message)) return;
      if (message.method === undefined) noteResult(message);
      else if (message.method === 'notifications/progress') noteProgress(isRecord(message.params) ? message.params : {});
      else fail(`an unexpected message: ${text.slice(0, 200)}`);
    },
  };
  return watch;
}
