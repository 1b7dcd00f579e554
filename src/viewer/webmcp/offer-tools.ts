import { type Agent, createAgent } from '../../agent-tools/agent.ts';
import { AGENT_CLOCK } from '../../agent-tools/agent-clock.ts';
import { toolDescriptors } from '../../agent-tools/catalogue.ts';
import { refused } from '../../agent-tools/tool-reply.ts';
import { resultOf, type ToolResult } from '../../agent-tools/tool-result.ts';
import type { Engine } from '../engine/types.ts';
import { createPageRobot } from './page-robot.ts';

/** A tool as WebMCP takes it. */
export interface ModelTool {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
  annotations: object;
  execute(input: unknown, options?: { signal?: AbortSignal }): Promise<ToolResult>;
}

/** The part of WebMCP that the page uses. */
export interface ModelContext {
  registerTool(tool: ModelTool, options: { signal: AbortSignal }): unknown;
}

const AGENT_NAME = 'Agent in the browser';

/**
 * Registers the robot's tools for an agent in the browser while the robot of this page lives. Does nothing in a browser without
 * WebMCP. @returns a function that ends it
 */
export function offerTools(engine: Engine, page: object): () => void {
  const context = (page as { modelContext?: Partial<ModelContext> | null }).modelContext;
  if (typeof context?.registerTool !== 'function') return () => undefined;
  let withdraw: (() => void) | null = null;

  function follow(): void {
    const isLive = engine.store.getState().phase === 'live';
    if (isLive) withdraw ??= register(engine, context as ModelContext);
    else {
      withdraw?.();
      withdraw = null;
    }
  }

  follow();
  const stopFollowing = engine.store.subscribe(follow);
  return () => {
    stopFollowing();
    withdraw?.();
    withdraw = null;
  };
}

/** @returns a function that unregisters the tools and ends the agent's actions */
function register(engine: Engine, context: ModelContext): () => void {
  const registered = new AbortController();
  const { access, dispose } = createPageRobot(engine);
  const agent = createAgent({
    robot: access,
    place: {
      get robotModel() {
        return engine.store.getState().robotKind;
      },
      watchUrl: null,
      get instruction() {
        return engine.store.getState().task?.file.instruction.default ?? null;
      },
      isExam: false,
      restart: null,
    },
    clock: AGENT_CLOCK,
    agentName: () => AGENT_NAME,
    newId: () => crypto.randomUUID(),
  });
  for (const tool of toolDescriptors()) {
    const execute: ModelTool['execute'] = (input, options) => callTool(agent, tool.name, input, options?.signal);
    // A browser may reject a registration with a promise or an exception; the other tools remain usable.
    void Promise.resolve()
      .then(() => context.registerTool({ ...tool, execute }, { signal: registered.signal }))
      .catch(() => undefined);
  }
  return () => {
    registered.abort();
    dispose();
    void agent.end();
  };
}

/** Never rejects: the browser does not pass the message of an exception to the agent. */
async function callTool(agent: Agent, name: string, input: unknown, signal?: AbortSignal): Promise<ToolResult> {
  try {
    const waits = signal ?? new AbortController().signal;
    const { reply, delivered } = await agent.call(name, input, { signal: waits, isCancelKnown: true });
    if (!waits.aborted) delivered();
    return resultOf(reply);
  } catch (thrown) {
    return resultOf(refused('INTERNAL', thrown instanceof Error ? thrown.message : String(thrown)));
  }
}
