import { setTimeout as sleep } from 'node:timers/promises';
import { type ContentBlock, MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import { type FixtureTool, PNG_BASE64, said } from './fixture-tool.ts';

/** A WAV file of one silent sample. */
const WAV_BASE64 = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==';
/** The time between two messages of one call, so that they are messages of their own. */
const PAUSE_MS = 50;

const picture = { type: 'image', data: PNG_BASE64, mimeType: 'image/png' } as const;
const resource = (uri: string, mimeType: string, text: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) as const;
const shows = (description: string, content: ContentBlock[]): FixtureTool => ({
  description,
  call: async () => ({ content }),
});

/** The keywords that a server must not remove from the schema of a tool. */
const RICH_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

/** The tools that answer without asking the client. */
export const PLAIN_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: shows('Returns a text.', [{ type: 'text', text: 'This is a simple text response for testing.' }]),
  test_image_content: shows('Returns a picture.', [picture]),
  test_audio_content: shows('Returns a sound.', [{ type: 'audio', data: WAV_BASE64, mimeType: 'audio/wav' }]),
  test_embedded_resource: shows('Returns a resource.', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  test_multiple_content_types: shows('Returns a text, a picture and a resource.', [
    { type: 'text', text: 'Multiple content types test:' },
    picture,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  test_error_handling: {
    description: 'Fails.',
    call: async () => ({ ...said('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_tool_with_progress: {
    description: 'Reports progress.',
    async call(_input, { mcpReq }) {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await sleep(PAUSE_MS);
        if (progressToken === undefined) continue;
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      return said('The work is complete.');
    },
  },
  test_tool_with_logging: logs(),
  test_logging_tool: logs(),
  test_missing_capability: {
    description: 'Needs a client that offers sampling.',
    async call() {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    },
  },
  json_schema_2020_12_tool: {
    description: 'Has a schema with the keywords of JSON Schema 2020-12.',
    inputSchema: RICH_SCHEMA,
    call: async () => said('The input is accepted.'),
  },
};

function logs(): FixtureTool {
  return {
    description: 'Sends log messages.',
    async call(_input, { mcpReq }) {
      for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', text);
        await sleep(PAUSE_MS);
      }
      return said('The log messages are sent.');
    },
  };
}
