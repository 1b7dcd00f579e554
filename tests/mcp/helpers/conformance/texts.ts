import {
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { PNG_BASE64 } from './fixture-tool.ts';

type PromptMessage = GetPromptResult['messages'][number];
const fromUser = (content: PromptMessage['content']): PromptMessage => ({ role: 'user', content });
const text = (words: string): PromptMessage => fromUser({ type: 'text', text: words });

interface FixturePrompt {
  description: string;
  arguments?: { name: string; description: string; required: true }[];
  get(given: Record<string, string>, context: ServerContext): GetPromptResult | InputRequiredResult;
}

const argument = (name: string) => ({ name, description: 'A test argument.', required: true as const });

const PROMPTS: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: {
    description: 'Has no arguments.',
    get: () => ({ messages: [text('This is a simple prompt for testing.')] }),
  },
  test_prompt_with_arguments: {
    description: 'Has two arguments.',
    arguments: [argument('arg1'), argument('arg2')],
    get: ({ arg1, arg2 }) => ({ messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  },
  test_prompt_with_embedded_resource: {
    description: 'Contains a resource.',
    arguments: [argument('resourceUri')],
    get: ({ resourceUri: uri = '' }) => ({
      messages: [
        fromUser({
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        text('Please process the embedded resource above.'),
      ],
    }),
  },
  test_prompt_with_image: {
    description: 'Contains a picture.',
    get: () => ({
      messages: [fromUser({ type: 'image', data: PNG_BASE64, mimeType: 'image/png' }), text('Please analyze the image above.')],
    }),
  },
  test_input_required_result_prompt: {
    description: 'Asks the person at the client.',
    get(_given, { mcpReq }) {
      const answer = inputResponse(mcpReq.inputResponses, 'user_context');
      if (answer.kind === 'elicit') return { messages: [text(`Context: ${JSON.stringify(answer.content)}`)] };
      const message = 'What context should the prompt use?';
      const properties = { context: { type: 'string' as const } };
      return inputRequired({
        inputRequests: {
          user_context: inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required: ['context'] } }),
        },
      });
    },
  },
};

/** The prompts as clients list them. */
export const listedPrompts = Object.entries(PROMPTS).map(([name, { get: _get, ...shown }]) => ({ name, ...shown }));

/** @throws for an unknown name */
export function getPrompt(name: string, given: Record<string, string>, context: ServerContext) {
  const prompt = PROMPTS[name];
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  return prompt.get(given, context);
}

/** The resources as clients list them. */
export const LISTED_RESOURCES = [
  { uri: 'test://static-text', name: 'static-text', description: 'A text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', description: 'A picture.', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', description: 'A text.', mimeType: 'text/plain' },
];

/** The templates as clients list them. */
export const RESOURCE_TEMPLATES = [
  { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'The data of an id.', mimeType: 'application/json' },
];

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

/** Returns a resource; null for an unknown address. */
export function readFixture(uri: string): ReadResourceResult | null {
  const listed = LISTED_RESOURCES.find((one) => one.uri === uri);
  if (listed?.mimeType === 'image/png') return { contents: [{ uri, mimeType: listed.mimeType, blob: PNG_BASE64 }] };
  if (listed) return { contents: [{ uri, mimeType: listed.mimeType, text: 'This is the content of the static text resource.' }] };
  const [, id] = TEMPLATE.exec(uri) ?? [];
  if (id === undefined) return null;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
}
