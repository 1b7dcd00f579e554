import { randomBytes } from 'node:crypto';
import type { Agent } from '../../src/agent-tools/agent.ts';
import { McpAgents } from '../../src/control-service/mcp-agents.ts';
import { type HttpServer, openHttpServer } from '../../src/launch/http-server.ts';
import { createMcpHttp } from '../../src/mcp/http.ts';
import { createMcpServer } from '../../src/mcp/server.ts';

/** A server of the protocol at a port of this machine, with agents over robots of this process. */
export interface HttpPlace {
  readonly url: string;
  /** Ends the actions of all agents, then the connections, as the end of the control service does. */
  end(): Promise<void>;
  readonly problems: string[];
}

/**
 * Opens the server: the HTTP server, the handler of the protocol and the table of agents of the product, without accounts and
 * database. The address of a robot is `/mcp/NAME`.
 */
export async function openHttpPlace(createAgent: (robot: string) => Agent): Promise<HttpPlace> {
  const agents = new McpAgents();
  const problems: string[] = [];
  const mcp = createMcpHttp<string>({
    createServer(robot, { sessionId, whenDelivered }) {
      const program = { accountId: robot, keyId: robot, robotId: robot, name: 'proof', sessionId };
      const { agent } = agents.agentOf(program, performance.now(), () => createAgent(robot));
      return createMcpServer(agent, { version: '0.0.0-proof', isCancelKnown: false, whenDelivered });
    },
    ownerOf: (robot) => robot,
    onSessionEnd: (_robot, sessionId) => void agents.endSession(sessionId),
    newSessionId: () => randomBytes(16).toString('hex'),
    nowMs: () => performance.now(),
    limits: { ofOwnerMax: 4_096, max: 65_536, idleMs: 30 * 60_000 },
    onTrouble: (message) => void problems.push(message),
  });
  agents.endsWith(mcp);
  const app = {
    async fetch(request: Request, { whenReset }: { whenReset(lost: () => void): void }): Promise<Response> {
      const { url, method, headers, signal } = request;
      const text = method === 'POST' ? await request.text() : null;
      const given = new Request(url, { method, headers, signal, ...(text === null ? {} : { body: text }) });
      const client = new URL(url).pathname.replace('/mcp/', '');
      const body = text === null ? undefined : (JSON.parse(text) as unknown);
      return mcp.fetch({ request: given, client, body, onOver: () => undefined, whenReset });
    },
  };
  const http: HttpServer = await openHttpServer(0, app, undefined, { limits: { drainTimeoutMs: 500 } });
  return {
    url: `http://127.0.0.1:${http.port}/mcp`,
    problems,
    async end() {
      await agents.endAll();
      await http.close();
    },
  };
}
