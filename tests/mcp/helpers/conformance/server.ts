import type {
  CallToolResult,
  ListResourcesResult,
  ListToolsResult,
  ReadResourceResult,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { createMcpServer } from '../../../../src/mcp/server.ts';
import { askingTools } from './asking-tools.ts';
import { PLAIN_TOOLS } from './plain-tools.ts';
import { getPrompt, LISTED_RESOURCES, listedPrompts, RESOURCE_TEMPLATES, readFixture } from './texts.ts';

type Handler<R> = (request: object, context: ServerContext) => Promise<R>;

/** Returns a handler of the product. The library shows handlers to subclasses of its server only. */
function handlerOf<R>(server: Server, method: string): Handler<R> {
  const { _getRequestHandler } = server as unknown as { _getRequestHandler(method: string): Handler<R> | undefined };
  const handler = _getRequestHandler.call(server, method);
  if (!handler) throw new Error(`The server of the product has no handler for ${method}.`);
  return handler;
}

/**
 * Creates the server of the product, and adds what the conformance program uses: its tools, resources and prompts, and the
 * features of the protocol that the product does not have (completions, log messages, subscriptions).
 */
export const createConformanceServer: typeof createMcpServer = (...given) => {
  const server = createMcpServer(...given);
  const listTools = handlerOf<ListToolsResult>(server, 'tools/list');
  const callTool = handlerOf<CallToolResult>(server, 'tools/call');
  const listResources = handlerOf<ListResourcesResult>(server, 'resources/list');
  const readResource = handlerOf<ReadResourceResult>(server, 'resources/read');
  server.registerCapabilities({ prompts: {}, completions: {}, logging: {}, resources: { subscribe: true } });

  const tools = { ...PLAIN_TOOLS, ...askingTools((name) => server.getClientCapabilities()?.[name] !== undefined) };
  const listed = Object.entries(tools).map(([name, { description, inputSchema = { type: 'object' as const } }]) => ({
    name,
    description,
    inputSchema,
  }));
  server.setRequestHandler('tools/list', async (request, context) => {
    const own = await listTools(request, context);
    return { tools: [...own.tools, ...listed] };
  });
  server.setRequestHandler('tools/call', async (request, context) => {
    const tool = tools[request.params.name];
    return tool ? tool.call(request.params.arguments ?? {}, context) : callTool(request, context);
  });
  server.setRequestHandler('resources/list', async (request, context) => {
    const own = await listResources(request, context);
    return { resources: [...own.resources, ...LISTED_RESOURCES] };
  });
  server.setRequestHandler(
    'resources/read',
    async (request, context) => readFixture(request.params.uri) ?? readResource(request, context),
  );
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  server.setRequestHandler('resources/subscribe', async () => ({}));
  server.setRequestHandler('resources/unsubscribe', async () => ({}));
  server.setRequestHandler('prompts/list', async () => ({ prompts: listedPrompts }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => getPrompt(params.name, params.arguments ?? {}, context));
  server.setRequestHandler('completion/complete', async () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return server;
};
