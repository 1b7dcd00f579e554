import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Agent } from '../agent-tools/agent.ts';
import { createMcpServer, type McpServerOptions } from './server.ts';

/**
 * Serves the tools of an agent on standard input and output, in both generations of the protocol.
 * @param onTrouble receives messages about unreadable input; nothing of them is written to the output
 * @returns a function that ends the connection
 */
export function serveOverStdio(
  agent: Agent,
  options: Omit<McpServerOptions, 'isCancelKnown'>,
  onTrouble: (message: string) => void,
): () => Promise<void> {
  // A client that ends the connection has no further call, so only its own cancel aborts one.
  const handle = serveStdio(() => createMcpServer(agent, { ...options, isCancelKnown: true }), {
    onerror: ({ message }) => onTrouble(message),
  });
  return () => handle.close();
}
