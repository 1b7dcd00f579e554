import type { Context } from 'hono';
import { isRecord } from '../common/schema-texts.ts';
import type { createMcpServer } from '../mcp/server.ts';
import type { KnownCaller } from './caller.ts';
import type { ServiceDeps } from './deps.ts';
import type { KeyWatch } from './key-watch.ts';
import { robotOfAgent } from './mcp-robot.ts';
import { createServiceMcp } from './mcp-server.ts';
import { readJson, readWhole } from './request-reading.ts';
import { ServiceError } from './service-error.ts';

/** The addresses: the account's only robot with a session, and a named robot. */
export const MCP_PATHS = ['/mcp', '/mcp/robots/:robot_id'] as const;

/** The data that the listening server passes with a request. */
export interface ConnectionEnv {
  /** Registers a function for a connection that is reset after the response and before its next request. */
  whenReset?: (lost: () => void) => void;
}

interface McpParts {
  deps: ServiceDeps;
  keyWatch: KeyWatch;
  createServer: typeof createMcpServer;
  /** @throws 401 */
  authenticate(c: Context): Promise<KnownCaller>;
}

/** Creates the handler of the addresses of the Model Context Protocol. It throws what the service answers as an error. */
export function mcpHandler({ deps, keyWatch, createServer, authenticate }: McpParts): (c: Context) => Promise<Response> {
  const mcp = createServiceMcp(deps, createServer);
  deps.memory.agents.endsWith(mcp);
  return async (c) => {
    refuseForeignPage(c, deps.settings.viewerUrl);
    const raw = c.req.raw;
    const caller = await authenticate(c);
    const bytes = raw.method === 'POST' ? await readWhole(raw) : null;
    const body = bytes === null ? undefined : readJson(raw, bytes);
    const robot = await robotOfAgent(deps, caller, c.req.param('robot_id') ?? null);
    const leave = enter(deps, caller, body);
    const keyed = keyWatch.watch(caller.keyId);
    const onOver = (): void => {
      keyed.over();
      leave();
    };
    try {
      // The body was read already, and the request also ends with its key.
      const { url, method, headers } = raw;
      const signal = AbortSignal.any([raw.signal, keyed.signal]);
      const request = new Request(url, { method, headers, signal, ...(bytes === null ? {} : { body: bytes }) });
      const { whenReset } = (c.env ?? {}) as ConnectionEnv;
      return await mcp.fetch({ request, client: { caller, robot }, body, onOver, whenReset });
    } catch (error) {
      onOver();
      throw error;
    }
  };
}

/** A page of another site may not use the address, whatever key it has: the protocol asks servers to check this. */
function refuseForeignPage(c: Context, viewerUrl: string | null): void {
  const origin = c.req.header('origin');
  if (origin === undefined) return;
  const host = c.req.header('host') ?? '';
  const own = [`http://${host}`, `https://${host}`, ...(viewerUrl === null ? [] : [new URL(viewerUrl).origin])];
  if (!own.includes(origin)) throw ServiceError.foreignOrigin();
}

/** Counts a request against the share of its account. A stop and a cancel are always accepted. @throws 429 */
function enter({ memory, settings }: ServiceDeps, { accountId }: KnownCaller, body: unknown): () => void {
  const { waitingCommands, requestsAtOnce } = settings.accountLimits;
  const { method, params } = isRecord(body) ? body : {};
  const isCall = method === 'tools/call';
  const isStop = isCall && isRecord(params) && params.name === 'stop';
  if (isStop || method === 'notifications/cancelled') return () => {};
  return isCall
    ? memory.shares.enter(accountId, 'waiting_commands', waitingCommands)
    : memory.shares.enter(accountId, 'requests_at_once', requestsAtOnce);
}
