import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  type InputRequest,
  type InputRequests,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type FixtureTool, said } from './fixture-tool.ts';

/** Signs the state that clients keep between two rounds. */
const codec = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });

type Field = Parameters<typeof inputRequired.elicit>[0]['requestedSchema'];
const form = (message: string, properties: object, required: string[] = []): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } as Field });
/** A question with one text field. */
const question = (message: string, field: string): InputRequest => form(message, { [field]: { type: 'string' } }, [field]);
const sampling = (text: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

/** Returns the value that the person at the client gave; undefined without a valid answer. */
function answerTo({ mcpReq }: ServerContext, key: string, field: string): unknown {
  const answer = inputResponse(mcpReq.inputResponses, key);
  return answer.kind === 'elicit' && answer.action === 'accept' ? answer.content?.[field] : undefined;
}

const isAnswered = ({ mcpReq }: ServerContext, key: string): boolean =>
  inputResponse(mcpReq.inputResponses, key).kind !== 'missing';

/** Returns the round of the echoed state; 0 without one. @throws if the state was changed */
async function roundOf(context: ServerContext): Promise<number> {
  const state = context.mcpReq.requestState<string>();
  if (state === undefined) return 0;
  try {
    return (await codec.verify(state, context)).round;
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state is not the one that the server sent.');
  }
}

/** A tool that asks once, and then returns what the client answered. */
const asksOnce = (
  description: string,
  requests: (input: Record<string, unknown>) => InputRequests,
  conclude: (context: ServerContext) => string = ({ mcpReq }) => JSON.stringify(mcpReq.inputResponses),
): FixtureTool => ({
  description,
  async call(input, context) {
    const inputRequests = requests(input);
    const isComplete = Object.keys(inputRequests).every((key) => isAnswered(context, key));
    return isComplete ? said(conclude(context)) : inputRequired({ inputRequests });
  },
});

/** A tool that asks once, with a state that the client must return unchanged. */
const asksWithState = (description: string, inputRequests: InputRequests): FixtureTool => ({
  description,
  async call(_input, context) {
    const round = await roundOf(context);
    const isComplete = round === 1 && Object.keys(inputRequests).every((key) => isAnswered(context, key));
    if (isComplete) return said('state-ok');
    return inputRequired({ inputRequests, requestState: await codec.mint({ round: 1 }) });
  },
});

const confirm = { confirm: form('Please confirm', { ok: { type: 'boolean' } }, ['ok']) };
const titled = (...names: string[]) => names.map((name, at) => ({ const: `value${at + 1}`, title: name }));
const OPTIONS = ['option1', 'option2', 'option3'];

/** The tools that ask the client something before they answer. */
export const askingTools = (
  declares: (capability: 'sampling' | 'elicitation') => boolean,
): Readonly<Record<string, FixtureTool>> => ({
  test_sampling: {
    ...asksOnce('Asks the model of the client.', ({ prompt }) => ({ answer: sampling(`${prompt}`, 100) })),
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  },
  test_elicitation: {
    ...asksOnce('Asks the person at the client.', ({ message }) => ({
      answer: form(`${message}`, { username: { type: 'string' }, email: { type: 'string' } }, ['username', 'email']),
    })),
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  },
  test_elicitation_sep1034_defaults: asksOnce('Asks with a default for each type.', () => ({
    answer: form('Check the values.', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  })),
  test_elicitation_sep1330_enums: asksOnce('Asks with each kind of choice.', () => ({
    answer: form('Choose.', {
      untitledSingle: { type: 'string', enum: OPTIONS },
      titledSingle: { type: 'string', oneOf: titled('First', 'Second', 'Third') },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
      titledMulti: { type: 'array', items: { anyOf: titled('First', 'Second', 'Third') } },
    }),
  })),
  test_streaming_elicitation: asksOnce('Asks the person at the client.', () => ({ answer: question('Your name?', 'name') })),
  test_input_required_result_elicitation: {
    description: 'Greets the person by name.',
    async call(_input, context) {
      const name = answerTo(context, 'user_name', 'name');
      if (typeof name === 'string') return said(`Hello, ${name}!`);
      return inputRequired({ inputRequests: { user_name: question('What is your name?', 'name') } });
    },
  },
  test_input_required_result_sampling: asksOnce('Asks the model of the client.', () => ({
    capital_question: sampling('What is the capital of France?', 100),
  })),
  test_input_required_result_list_roots: asksOnce('Asks for the roots of the client.', () => ({
    client_roots: inputRequired.listRoots(),
  })),
  test_input_required_result_multiple_inputs: asksWithState('Asks three things at once.', {
    user_name: question('What is your name?', 'name'),
    greeting: sampling('Generate a greeting', 50),
    client_roots: inputRequired.listRoots(),
  }),
  test_input_required_result_request_state: asksWithState('Asks with a state.', confirm),
  test_input_required_result_tampered_state: asksWithState('Rejects a changed state.', confirm),
  test_input_required_result_multi_round: {
    description: 'Asks twice.',
    async call(_input, context) {
      const round = await roundOf(context);
      if (round === 2 && isAnswered(context, 'step2')) return said('Both answers are complete.');
      const isFirstDone = round === 1 && isAnswered(context, 'step1');
      const inputRequests: InputRequests = isFirstDone
        ? { step2: question('Step 2: What is your favorite color?', 'color') }
        : { step1: question('Step 1: What is your name?', 'name') };
      return inputRequired({ inputRequests, requestState: await codec.mint({ round: isFirstDone ? 2 : 1 }) });
    },
  },
  test_input_required_result_capabilities: asksOnce('Asks only what the client offers.', () => ({
    ...(declares('sampling') ? { sampled: sampling('Say hello.', 50) } : {}),
    ...(declares('elicitation') ? { asked: question('What is your name?', 'name') } : {}),
  })),
});
