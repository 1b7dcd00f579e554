/** A language model behind an OpenAI-compatible address: asks for its next turn, and says in a sentence what is wrong with its server. */
import { setTimeout as pause } from 'node:timers/promises';

export interface ToolCall {
  id: string;
  type: 'function';
  /** `arguments` is JSON text of an object, or what else the model wrote. */
  function: { name: string; arguments: string };
}
export interface PicturePart {
  type: 'image_url';
  image_url: { url: string };
}
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null | PicturePart[];
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}
export interface Tool {
  type: 'function';
  function: { name: string; description: string; parameters: object };
}

export interface ModelServer {
  /** Without a slash at its end, such as `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  /** Empty for a server without keys. */
  apiKey: string;
  model: string;
  /** Longest wait for one answer. @default 120 000 */
  timeoutMs?: number;
  /** How often a server that is busy or breaks off is asked. @default 4 */
  tries?: number;
  /** The wait before the second try, doubled for each further one. @default 2 000 */
  retryAfterMs?: number;
}

const REQUEST_MAX_MS = 120_000;
/** So much of what a server says goes into an error. */
const SAID_MAX_CHARS = 300;

/** Reads OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL. @throws Error that names the variable that is missing or wrong */
export function readModelServer(env: Record<string, string | undefined>): ModelServer {
  const baseUrl = (env.OPENAI_BASE_URL?.trim() || 'https://api.openai.com/v1').replace(/\/+$/, '');
  const [apiKey, model] = [env.OPENAI_API_KEY?.trim() ?? '', env.OPENAI_MODEL?.trim() ?? ''];
  if (model === '') throw new Error('Set OPENAI_MODEL to the name of a model, and OPENAI_BASE_URL to where it is.');
  if (!/^https?:\/\/[^@]+$/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new Error('OPENAI_BASE_URL is not an address of the form http://host:port/v1. Correct it.');
  if (!/^[\x21-\x7e]*$/.test(apiKey))
    throw new Error('OPENAI_API_KEY holds characters that a key never has, such as a space. Copy the key again.');
  return { baseUrl, apiKey, model };
}

/** Asks the model for its next turn; a server that is busy, or breaks off, is asked again. @throws Error in a sentence, without the key */
export async function askModel(server: ModelServer, messages: Message[], tools: Tool[]): Promise<Message> {
  const body = JSON.stringify({ model: server.model, messages, tools });
  const tries = server.tries ?? 4;
  for (let tried = 1; ; tried += 1) {
    const outcome = await askOnce(server, body);
    if ('message' in outcome) return outcome.message;
    if (!outcome.mayPass || tried >= tries) throw new Error(outcome.problem);
    const waitMs = (server.retryAfterMs ?? 2_000) * 2 ** (tried - 1);
    await pause(outcome.retryAfterS > 0 ? Math.min(outcome.retryAfterS * 1_000, REQUEST_MAX_MS) : waitMs);
  }
}

type Outcome = { message: Message } | { problem: string; mayPass: boolean; retryAfterS: number };

async function askOnce(server: ModelServer, body: string): Promise<Outcome> {
  const { baseUrl, apiKey, timeoutMs = REQUEST_MAX_MS } = server;
  const failed = (problem: string, mayPass: boolean, retryAfterS = 0): Outcome => ({ problem, mayPass, retryAfterS });
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Response | null = null;
  let text: string;
  try {
    response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(apiKey ? { Authorization: `Bearer ${apiKey}` } : {}) },
      body,
      signal,
    });
    text = await response.text();
  } catch (error) {
    if (signal.aborted)
      return failed(
        `The model's server at ${baseUrl} has not answered within ${timeoutMs / 1_000} s. Take a faster model.`,
        false,
      );
    if (response) return failed(`The model's server at ${baseUrl} broke off in the middle of its answer. Look at its log.`, true);
    const code = ((error as Error).cause as { code?: string } | undefined)?.code;
    return failed(
      `The model's server at ${baseUrl} cannot be reached${code ? ` (${code})` : ''}. Start it, or set OPENAI_BASE_URL to where it is.`,
      false,
    );
  }
  const said = shortened(apiKey ? text.replaceAll(apiKey, '<key>') : text);
  if (!response.ok) {
    const problem = `The model's server at ${baseUrl} answered with HTTP status ${response.status}: ${said} ${adviceFor(response.status)}`;
    return failed(problem, response.status === 429 || response.status >= 500, Number(response.headers.get('retry-after')));
  }
  const message = readMessage(text);
  return message
    ? { message }
    : failed(
        `The answer of ${baseUrl} is none of an OpenAI-compatible server: ${said} Set OPENAI_BASE_URL to such a server; most addresses end in /v1.`,
        false,
      );
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'Check OPENAI_API_KEY.';
  if (status === 404) return 'Check OPENAI_BASE_URL, which mostly ends in /v1, and OPENAI_MODEL.';
  if (status === 429) return 'Wait, or take another model.';
  return status < 500 ? 'Check that OPENAI_MODEL can use tools, and pictures when it is to look.' : 'Look at its log.';
}

/** The message of an answer, its tool calls as the interface has them; null where there is none. */
function readMessage(text: string): Message | null {
  const answer = parsed(text) as { choices?: { message?: { content?: unknown; tool_calls?: unknown } }[] } | undefined;
  const message = answer?.choices?.[0]?.message;
  if (typeof message !== 'object' || message === null) return null;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.map(readToolCall) : [];
  return {
    role: 'assistant',
    content: typeof message.content === 'string' ? message.content : null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Several servers give arguments as an object, or none at all, and leave out the id. */
function readToolCall(call: unknown, index: number): ToolCall {
  const { id, function: asked } = (call ?? {}) as { id?: unknown; function?: { name?: unknown; arguments?: unknown } };
  const given = asked?.arguments ?? {};
  return {
    id: typeof id === 'string' && id !== '' ? id : `call_${index}_${crypto.randomUUID()}`,
    type: 'function',
    function: {
      name: typeof asked?.name === 'string' ? asked.name : '',
      arguments: typeof given === 'string' ? given : JSON.stringify(given),
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** One line; a page of HTML says enough by its beginning. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '(nothing).';
  return line.length > SAID_MAX_CHARS ? `${line.slice(0, SAID_MAX_CHARS)} …` : /[.!?]$/.test(line) ? line : `${line}.`;
}
