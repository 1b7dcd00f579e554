import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Agent } from '../../src/agent-tools/agent.ts';
import { isRecord } from '../../src/common/schema-texts.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { createMessageWatch, type MessageWatch } from './message-watch.ts';

/** A client that writes its lines itself. */
export interface LineClient {
  readonly watch: MessageWatch;
  /** Sends a request. @returns its id, and the reply once it came; a cancelled request may have none */
  request(method: string, params: object): { id: number; reply: Promise<Record<string, unknown>> };
  notify(method: string, params: object): void;
  /** Calls a tool. */
  use(tool: string, input: object, progressToken?: string): { id: number; reply: Promise<Record<string, unknown>> };
  /** Shakes hands. */
  open(): Promise<void>;
}

/** A client over a server of standard input and output in this process. */
export interface StdioPair extends LineClient {
  /** Ends the input of the server, as the end of its client does. */
  endInput(): void;
  close(): Promise<void>;
}

/** Creates a client over a function that writes a line. @returns also the function that takes the lines of the server */
export function createLineClient(write: (line: string) => void): { client: LineClient; take(line: string): void } {
  const watch = createMessageWatch();
  const waiting = new Map<number, (message: Record<string, unknown>) => void>();
  let ids = 0;
  function send(message: object): void {
    watch.sent(message);
    write(`${JSON.stringify(message)}\n`);
  }
  const client: LineClient = {
    watch,
    request(method, params) {
      ids += 1;
      const id = ids;
      const reply = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
      send({ jsonrpc: '2.0', id, method, params });
      return { id, reply };
    },
    notify: (method, params) => send({ jsonrpc: '2.0', method, params }),
    use(tool, input, progressToken) {
      const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
      return client.request('tools/call', { name: tool, arguments: input, ...meta });
    },
    async open() {
      const clientInfo = { name: 'proof', version: '1' };
      await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }).reply;
      client.notify('notifications/initialized', {});
    },
  };
  return {
    client,
    take(line) {
      watch.received(line);
      const message: unknown = JSON.parse(line);
      if (!isRecord(message) || typeof message.id !== 'number') return;
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    },
  };
}

/** Connects a client with the stdio server of the product, over streams of this process. */
export function openStdioPair(agent: Agent): StdioPair {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { client, take } = createLineClient((line) => void input.write(line));
  const handle = serveStdio(() => createMcpServer(agent, { version: '0.0.0-proof', isCancelKnown: true }), {
    transport: new StdioServerTransport(input, output),
    onerror: ({ message }) => void client.watch.problems.push(`the server reports: ${message}`),
  });
  let rest = '';
  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  return { ...client, endInput: () => void input.end(), close: () => handle.close() };
}

/** Returns the facts of the reply of a tool. */
export function factsOf(reply: Record<string, unknown>): Record<string, unknown> {
  const { result } = reply;
  return isRecord(result) && isRecord(result.structuredContent) ? result.structuredContent : {};
}
