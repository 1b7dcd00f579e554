/**
 * An agent with a language model behind an OpenAI-compatible address: the robot's skills are the model's tools.
 *
 *   export OPENAI_BASE_URL=https://api.openai.com/v1 OPENAI_API_KEY=… OPENAI_MODEL=…
 *   npx simplesim eval tasks/fetch/hall-hold-blue.json --agent "npx tsx examples/agents/llm-agent.ts" --out results
 *
 * With --pictures the model can look through the robot's cameras; it has to be one that takes pictures.
 * OPENAI_BASE_URL may be a server of your own (llama.cpp, vLLM, Ollama …); one without keys needs no OPENAI_API_KEY.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, connect, type PlatformSession } from 'platform-robot-sdk';

/** Turns of the model at most: one that never comes to an end costs no fortune. */
const TURNS_MAX = 60;
const REQUEST_MAX_MS = 120_000;
const TRIES = 4;
const RETRY_AFTER_MS = 1_000;
/** A longer answer of the robot is cut: models pay by the word. */
const ANSWER_MAX_CHARS = 12_000;
/** What would put another world in the place of this one, or is about time itself. */
const NOT_FOR_MODELS = new Set(['reset', 'select_scene', 'configure_benchmark', 'set_sim_speed']);

const SYSTEM = `You drive a robot in a simulated scene with the given tools. Units are metres, degrees and seconds; x points forward at yaw 0, y left, z up.
Read the scene first. Name things by their ids. A tool answers when its action has ended: "done" was measured, and a failure says why and what to do next. Before you pick or place something, go_to it.
When the task is done, or cannot be done, answer in a sentence without a tool.`;

interface ToolCall {
  id: string;
  function: { name: string; arguments: string };
}
interface PicturePart {
  type: 'image_url';
  image_url: { url: string };
}
interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null | PicturePart[];
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}
interface Tool {
  type: 'function';
  function: { name: string; description: string; parameters: unknown };
}

const READS: Tool[] = [
  tool('read_scene', 'Read where every thing, every pad and the robot is now, and what the robot holds.', {}),
  tool('read_layout', 'Read what does not move: bounds, obstacles, pads and their slots.', {}),
];

const PICTURE = { width: 640, height: 360 };

const { SIMPLESIM_ROBOT_ID: robotId = '', SIMPLESIM_TASK: task = '', OPENAI_API_KEY: apiKey = '' } = process.env;
const baseUrl = (process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1').replace(/\/+$/, '');
const model = process.env.OPENAI_MODEL ?? '';

if (model === '') fail('Set OPENAI_MODEL to the name of a model, and OPENAI_BASE_URL to where it is.');
const session = await connect(new Client(), robotId, { workerNames: [] });
try {
  await solve(session);
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof Error ? error.message : String(error));
} finally {
  await session.disconnect({ keepSession: true });
}

async function solve(robot: PlatformSession): Promise<void> {
  const skills = (await robot.discoverSkills()).filter(({ name }) => !NOT_FOR_MODELS.has(name));
  const cameras = await camerasOf(robot);
  const tools = [
    ...READS,
    ...lookTools(cameras),
    ...skills.map(({ name, description, input_schema: schema }) => tool(name, description, schema)),
  ];
  const messages: Message[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: task },
  ];
  for (let turn = 1; turn <= TURNS_MAX; turn += 1) {
    const answer = await ask(messages, tools);
    messages.push(answer);
    if (answer.content) console.log(`model: ${answer.content}`);
    if (!answer.tool_calls?.length) return;
    const seen: PicturePart[] = [];
    for (const call of answer.tool_calls) {
      const content = (
        await use(
          robot,
          call,
          skills.map(({ name }) => name),
          seen,
        )
      ).slice(0, ANSWER_MAX_CHARS);
      console.log(`${call.function.name} ${call.function.arguments}\n  ${content.slice(0, 300)}`);
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
    // A tool answers in words; pictures come from the user.
    if (seen.length > 0) messages.push({ role: 'user', content: seen });
  }
  console.log(`The model has had ${TURNS_MAX} turns, and is stopped.`);
}

/** The cameras that draw; none where nothing does. */
async function camerasOf(robot: PlatformSession): Promise<string[]> {
  const { cameras, captures } = (await robot.getCapabilities()) as {
    cameras: { camera_id: string }[];
    captures: { available: boolean };
  };
  return captures.available ? cameras.map(({ camera_id: id }) => id) : [];
}

function lookTools(cameras: string[]): Tool[] {
  if (cameras.length === 0) return [];
  const camera = { type: 'string', enum: cameras };
  return [
    tool('look', 'Take a picture with a camera: "pov" is in the robot\'s head, the others hang in the scene.', {
      type: 'object',
      properties: { camera },
      required: ['camera'],
    }),
  ];
}

async function look(robot: PlatformSession, text: string, seen: PicturePart[]): Promise<string> {
  const { camera } = JSON.parse(text || '{}') as { camera: string };
  const { jpeg, frame } = await robot.getVision(camera, PICTURE);
  seen.push({ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}` } });
  return `The picture of step ${frame.step} follows.`;
}

/** Does what the model asks for. @param seen takes its pictures @returns what it is told: also of its own mistakes, so that it can mend them */
async function use(
  robot: PlatformSession,
  { function: { name, arguments: text } }: ToolCall,
  skills: string[],
  seen: PicturePart[],
): Promise<string> {
  try {
    if (name === 'look') return await look(robot, text, seen);
    if (name === 'read_scene') return JSON.stringify((await robot.scene()).entities);
    if (name === 'read_layout') return JSON.stringify(await robot.layout());
    if (!skills.includes(name)) return `There is no tool "${name}".`;
    const { status, result, error } = await robot.invoke(name as string, JSON.parse(text || '{}') as Record<string, unknown>);
    return JSON.stringify({ status, ...(error ? { error: error.message } : { result }) });
  } catch (error) {
    // The robot refuses in a sentence; a model that writes no JSON is told that.
    return `error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Asks the model for its next turn; a server that is busy is asked again. @throws Error with what it said */
async function ask(messages: Message[], tools: Tool[]): Promise<Message> {
  for (let tried = 1; ; tried += 1) {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(apiKey ? { Authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify({ model, messages, tools }),
      signal: AbortSignal.timeout(REQUEST_MAX_MS),
    });
    if (response.ok) {
      const { choices } = (await response.json()) as { choices?: { message?: Message }[] };
      const message = choices?.[0]?.message;
      if (message)
        return {
          role: 'assistant',
          content: message.content ?? null,
          ...(message.tool_calls ? { tool_calls: message.tool_calls } : {}),
        };
      throw new Error('The model has answered without a message.');
    }
    const mayPass = response.status === 429 || response.status >= 500;
    const said = (await response.text()).slice(0, 500);
    if (!mayPass || tried === TRIES) throw new Error(`The model's server answers with HTTP status ${response.status}: ${said}`);
    const waitS = Number(response.headers.get('retry-after'));
    await pause(waitS > 0 ? Math.min(waitS * 1_000, REQUEST_MAX_MS) : RETRY_AFTER_MS * 2 ** tried);
  }
}

function tool(name: string, description: string, schema: unknown): Tool {
  const isSchema = typeof schema === 'object' && schema !== null && 'type' in schema;
  return {
    type: 'function',
    function: { name, description, parameters: isSchema ? schema : { type: 'object', properties: {} } },
  };
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
