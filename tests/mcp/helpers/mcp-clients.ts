import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Both generations of the protocol. */
export const GENERATIONS = ['2026-07-28', '2025-11-25'] as const;
export type Generation = (typeof GENERATIONS)[number];

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface ClientOptions {
  fetch?: Fetch;
  key?: string | undefined;
  url?: string;
  name?: string;
  /** Whether the client can ask its user, who allows motions. */
  consents?: boolean;
}

/** Connects a client of the current library. */
export async function connectClient(generation: Generation, options: ClientOptions): Promise<Client> {
  const { fetch, key, url = 'http://localhost/mcp', name = 'test', consents = false } = options;
  const client = new Client(
    { name, version: '1' },
    {
      ...(generation === '2026-07-28' ? { versionNegotiation: { mode: { pin: generation } } } : {}),
      ...(consents ? { capabilities: { elicitation: { form: {} } } } : {}),
    },
  );
  if (consents)
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept' as const, content: { allow: true } }));
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    ...(fetch ? { fetch } : {}),
    ...(key === undefined ? {} : { requestInit: { headers: { Authorization: `Bearer ${key}` } } }),
  });
  await client.connect(transport);
  return client;
}

/** One call of a tool as bytes on the connection: for streams that break, and for what a client must never see. */
export interface RawCall {
  response: Response;
  /** Reads the body to its end. */
  text(): Promise<string>;
  /** Breaks the connection without reading. */
  break(): Promise<void>;
}

/** A client of either generation that writes its requests itself. */
export interface RawClient {
  call(tool: string, input: object, more?: { progressToken?: string; id?: number; signal?: AbortSignal }): Promise<RawCall>;
  notify(method: string, params: object): Promise<Response>;
  sessionId: string | null;
}

const ACCEPT = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };

/** Opens a raw client; a client of 2025 initializes a session. */
export async function openRaw(
  generation: Generation,
  { fetch = globalThis.fetch, key, url = 'http://localhost/mcp', name = 'raw' }: ClientOptions,
): Promise<RawClient> {
  let ids = 0;
  const isOld = generation === '2025-11-25';
  const client: RawClient = {
    sessionId: null,
    async call(tool, input, { progressToken, id, signal } = {}) {
      ids += 1;
      const envelope = isOld
        ? {}
        : {
            'io.modelcontextprotocol/protocolVersion': generation,
            'io.modelcontextprotocol/clientInfo': { name, version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          };
      const meta = { ...envelope, ...(progressToken === undefined ? {} : { progressToken }) };
      const params = { name: tool, arguments: input, _meta: meta };
      const breaking = new AbortController();
      const response = await post(
        { jsonrpc: '2.0', id: id ?? ids, method: 'tools/call', params },
        { 'Mcp-Method': 'tools/call', 'Mcp-Name': tool },
        AbortSignal.any([breaking.signal, ...(signal ? [signal] : [])]),
      );
      return {
        response,
        text: () => response.text(),
        async break() {
          breaking.abort();
          await response.body?.cancel().catch(() => undefined);
        },
      };
    },
    notify: (method, params) => post({ jsonrpc: '2.0', method, params }, { 'Mcp-Method': method }),
  };
  async function post(message: object, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    return fetch(url, {
      method: 'POST',
      headers: {
        ...ACCEPT,
        'MCP-Protocol-Version': generation,
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(client.sessionId === null ? {} : { 'Mcp-Session-Id': client.sessionId }),
        ...(isOld ? {} : headers),
      },
      body: JSON.stringify(message),
      ...(signal ? { signal } : {}),
    });
  }
  if (isOld) {
    const params = { protocolVersion: generation, capabilities: {}, clientInfo: { name, version: '1' } };
    const opened = await post({ jsonrpc: '2.0', id: 'init', method: 'initialize', params }, {});
    client.sessionId = opened.headers.get('mcp-session-id');
    await opened.text();
    await (await client.notify('notifications/initialized', {})).text();
  }
  return client;
}
