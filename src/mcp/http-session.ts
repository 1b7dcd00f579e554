import {
  type McpServer,
  type RequestId,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

/** The connection of a client of 2025: a server that keeps its state over requests. */
export interface Session {
  readonly id: string;
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Cancels requests of the client that are under way. */
  cancel(ids: readonly RequestId[]): void;
  /** Ends the session and cancels its requests. Safe to repeat. */
  close(): Promise<void>;
}

interface SessionParts {
  id: string;
  owner: string;
  createServer(): Server | McpServer;
  /** Called once. */
  onEnd(): void;
  onTrouble(error: Error): void;
}

/** Opens the session of a client that initializes. */
export async function openSession({ id, owner, createServer, onEnd, onTrouble }: SessionParts): Promise<Session> {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
  const server = createServer();
  await server.connect(transport);
  const whenClosed = transport.onclose;
  transport.onclose = () => {
    whenClosed?.();
    onEnd();
  };
  const whenFailed = transport.onerror;
  transport.onerror = (error) => {
    whenFailed?.(error);
    onTrouble(error);
  };
  return {
    id,
    owner,
    transport,
    cancel(ids) {
      // The transport reports no end of a response, so this is what the client would have sent.
      for (const requestId of ids) {
        const params = { requestId, reason: 'The connection ended.' };
        transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      }
    },
    close: () => server.close(),
  };
}
