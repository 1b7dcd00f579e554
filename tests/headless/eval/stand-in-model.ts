import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** The part of an agent's request that a stand-in reads. */
export interface ModelRequest {
  model: string;
  messages: { role: string; content: string | null; tool_call_id?: string }[];
  tools: { function: { name: string; parameters: object } }[];
}

/** A turn of the model: words, tools with their arguments (text unchanged, other values as JSON), or an error of its server. */
export type ModelTurn = { say?: string; use?: [name: string, args: unknown][] } | { status: number };

export interface StandIn {
  baseUrl: string;
  requests: ModelRequest[];
  /** Authorization headers of the requests. */
  keys: (string | undefined)[];
  close(): Promise<void>;
}

/**
 * A server that behaves like a language model's, on the loopback address. @param turns each sees the request and returns the
 * answer
 */
export async function startStandIn(turns: ((request: ModelRequest) => ModelTurn)[]): Promise<StandIn> {
  const requests: ModelRequest[] = [];
  const keys: (string | undefined)[] = [];
  let calls = 0;
  const server = createServer(async (request, response) => {
    const asked = (await json(request)) as ModelRequest;
    keys.push(request.headers.authorization);
    requests.push(asked);
    const turn = turns[requests.length - 1]?.(asked) ?? { say: 'I have nothing more to do.' };
    if ('status' in turn) {
      response.writeHead(turn.status, { 'Retry-After': '1' }).end('busy');
      return;
    }
    const toolCalls = turn.use?.map(([name, args]) => {
      calls += 1;
      const text = typeof args === 'string' ? args : JSON.stringify(args);
      return { id: `call-${calls}`, type: 'function', function: { name, arguments: text } };
    });
    const message = { role: 'assistant', content: turn.say ?? null, ...(toolCalls ? { tool_calls: toolCalls } : {}) };
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: toolCalls ? 'tool_calls' : 'stop' }] }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`,
    requests,
    keys,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
