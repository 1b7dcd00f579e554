import {
  type InputRequiredResult,
  type InputResponseView,
  inputRequired,
  inputResponse,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Agent, AnsweredCall } from '../agent-tools/agent.ts';
import { INSTRUCTIONS, toolDescriptors } from '../agent-tools/catalogue.ts';
import { resultOf } from '../agent-tools/tool-result.ts';
import { shownJson } from '../common/shown-text.ts';
import { SKILL_URI, skillText } from './skill-text.ts';

/** The delivery of one reply. */
export type Delivery = Pick<AnsweredCall, 'delivered' | 'lost'>;

export interface McpServerOptions {
  version: string;
  /**
   * Whether a call is aborted only if the client itself cancelled it. False for HTTP, where a broken connection aborts too.
   */
  isCancelKnown: boolean;
  /**
   * Calls `delivered` once the client has received the reply, and `lost` if it turns out that it has not.
   * @default `delivered` when the reply was handed to the transport
   */
  whenDelivered?: (context: ServerContext, delivery: Delivery) => void;
  /** Receives the name and version that the client gave itself. */
  onClient?: (name: string, version: string) => void;
}

const NAME = 'simplesim';
const TITLE = 'SimpleSim robot';

interface Resource {
  uri: string;
  name: string;
  title: string;
  mimeType: string;
  read(agent: Agent, context: ServerContext): Promise<string> | string;
}

const JSON_TYPE = 'application/json';

/** A resource that shows the reply of a tool. */
const replyOf =
  (tool: string): Resource['read'] =>
  async (agent, { mcpReq }) =>
    shownJson((await agent.call(tool, {}, { signal: mcpReq.signal })).reply.facts);

const RESOURCES: readonly Resource[] = [
  { uri: 'robot://status', name: 'status', title: 'Robot status', mimeType: JSON_TYPE, read: replyOf('robot_status') },
  { uri: 'robot://scene', name: 'scene', title: 'Things in the scene', mimeType: JSON_TYPE, read: replyOf('get_scene') },
  {
    uri: 'robot://timeline',
    name: 'timeline',
    title: 'Actions of this client, newest first',
    mimeType: JSON_TYPE,
    read: (agent) => shownJson({ actions: agent.timeline() }),
  },
  { uri: SKILL_URI, name: 'simplesim', title: 'How to use the tools', mimeType: 'text/markdown', read: skillText },
];

/**
 * Creates a server of the Model Context Protocol for the tools of one client. The client's calls share one agent, so a call that
 * is repeated over another connection joins the first.
 */
export function createMcpServer(agent: Agent, options: McpServerOptions): Server {
  const server = new Server(
    { name: NAME, title: TITLE, version: options.version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.oninitialized = noteClient;
  const tools = toolDescriptors();
  server.setRequestHandler('tools/list', async () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    noteClient();
    const question = await agent.question(params.name);
    if (question !== null) {
      const answer = inputResponse(context.mcpReq.inputResponses, QUESTION_ID);
      if (answer.kind === 'missing' && server.getClientCapabilities()?.elicitation) return ask(question);
      if (isConsent(answer)) agent.allowMotion();
    }
    const answered = await agent.call(params.name, params.arguments, {
      signal: context.mcpReq.signal,
      isCancelKnown: options.isCancelKnown,
      onProgress: progressOf(context),
    });
    confirm(context, answered);
    return resultOf(answered.reply);
  });
  server.setRequestHandler('resources/list', async () => ({
    resources: RESOURCES.map(({ read: _read, ...listed }) => listed),
  }));
  server.setRequestHandler('resources/read', async ({ params }, context) => {
    const resource = RESOURCES.find(({ uri }) => uri === params.uri);
    if (!resource) {
      const known = RESOURCES.map(({ uri }) => uri).join(', ');
      throw new ResourceNotFoundError(params.uri, `There is no resource of this address. There are: ${known}.`);
    }
    const { uri, mimeType } = resource;
    return { contents: [{ uri, mimeType, text: await resource.read(agent, context) }] };
  });

  function noteClient(): void {
    const client = server.getClientVersion();
    if (client) options.onClient?.(client.title ?? client.name, client.version);
  }

  function confirm(context: ServerContext, answered: AnsweredCall): void {
    if (options.whenDelivered) options.whenDelivered(context, answered);
    else if (!context.mcpReq.signal.aborted) answered.delivered();
  }

  return server;
}

/** The id of the question whether the agent may move a physical robot, and the field of its answer. */
const QUESTION_ID = 'may_move';
const ALLOW = 'allow';

/** Asks the person at the client; the client then sends the call again, with the answer. */
const ask = (message: string): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [QUESTION_ID]: inputRequired.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: { [ALLOW]: { type: 'boolean', title: 'Allow motions', default: false } },
          required: [ALLOW],
        },
      }),
    },
  });

const isConsent = (answer: InputResponseView): boolean =>
  answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.[ALLOW] === true;

/**
 * Returns a function that reports progress; undefined if the client did not ask for it. The agent calls it only before the
 * result: some clients end the connection when progress arrives later.
 */
function progressOf({ mcpReq }: ServerContext): ((elapsedS: number, message: string) => void) | undefined {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  return (elapsedS, message) => {
    const params = { progressToken: token, progress: elapsedS, message };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
