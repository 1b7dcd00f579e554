/**
 * An agent with a language model behind an OpenAI-compatible address: the robot's skills are the model's tools.
 *
 *   export OPENAI_BASE_URL=https://api.openai.com/v1 OPENAI_API_KEY=… OPENAI_MODEL=…
 *   npm run simplesim -- eval tasks/fetch/hall-hold-blue.json --agent "npx tsx examples/agents/llm-agent.ts" --out results
 *
 * With --pictures the model can look through the robot's cameras; it has to be one that takes pictures.
 * OPENAI_BASE_URL may be a server of your own (llama.cpp, vLLM, Ollama …); one without keys needs no OPENAI_API_KEY.
 */
import { Client, connect } from 'platform-robot-sdk';
import { askModel, type Message, type ModelServer, type PicturePart, readModelServer } from './llm/model-server.ts';
import { paramsOf, type Robot, runTool, SYSTEM, toolsOf } from './llm/robot-tools.ts';

/** Turns of the model at most: one that never comes to an end costs no fortune. */
const TURNS_MAX = 60;

try {
  const server = readModelServer(process.env);
  const { SIMPLESIM_ROBOT_ID: robotId = '', SIMPLESIM_TASK: task = '' } = process.env;
  if (robotId === '')
    throw new Error('SIMPLESIM_ROBOT_ID names no robot. Start this agent with npm run simplesim -- eval … --agent.');
  const session = await connect(new Client(), robotId, { workerNames: [] });
  try {
    await solve(session as Robot, server, task);
  } finally {
    await session.disconnect({ keepSession: true });
  }
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof Error ? error.message : String(error));
}

async function solve(robot: Robot, server: ModelServer, task: string): Promise<void> {
  const tools = await toolsOf(robot);
  const messages: Message[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: task },
  ];
  for (let turn = 1; turn <= TURNS_MAX; turn += 1) {
    const answer = await askModel(server, messages, tools);
    messages.push(answer);
    if (answer.content) console.log(`model: ${answer.content}`);
    if (!answer.tool_calls) return;
    const seen: PicturePart[] = [];
    for (const call of answer.tool_calls) {
      const content = await runTool(robot, tools, call, seen);
      console.log(`${call.function.name} ${call.function.arguments}\n  ${content.slice(0, 300)}`);
      messages.push({ role: 'tool', tool_call_id: call.id, content });
      // Several servers read the arguments of earlier turns as JSON, and fail at others.
      if (paramsOf(call) === null) call.function.arguments = '{}';
    }
    // A tool answers in words; pictures come from the user.
    if (seen.length > 0) messages.push({ role: 'user', content: seen });
  }
  console.log(`The model has had ${TURNS_MAX} turns, and is stopped.`);
}
