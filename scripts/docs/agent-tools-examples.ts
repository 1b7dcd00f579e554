/**
 * Calls of the tools for agents and their real replies: one story on a runtime in a world of seed 1, with its own clock. The same
 * code gives the same replies.
 */

import { createAgent } from '../../src/agent-tools/agent.ts';
import type { AgentContext } from '../../src/agent-tools/agent-context.ts';
import type { AgentPicture, RobotAccess, SkillReply } from '../../src/agent-tools/robot-access.ts';
import type { ToolReply } from '../../src/agent-tools/tool-reply.ts';
import type { MethodName } from '../../src/protocol/wire/methods.ts';
import { startRecording } from './skill-examples.ts';

/** A call of a tool, with the facts of its reply. */
export interface ShownCall {
  input: object;
  facts: unknown;
}

/** In the order of the story: the robot picks before it places. */
const STORY: readonly (readonly [tool: string, input: object])[] = [
  ['robot_status', {}],
  ['get_scene', { kind: 'cube', limit: 2 }],
  ['look_at', { id: 'cube_0' }],
  ['go_to', { to: 'cube_0' }],
  ['pick', { id: 'cube_0' }],
  ['take_picture', { width: 320 }],
  [
    'run_plan',
    {
      steps: [
        { tool: 'go_to', input: { to: 'pad_D' } },
        { tool: 'place', input: { on: 'pad_D' } },
      ],
    },
  ],
  ['drive', { vx: -0.3, seconds: 1 }],
  ['wait', { for_s: 0 }],
  ['go_to', { to: 'cube_1' }],
  ['pick', { id: 'cube_1' }],
  ['go_to', { to: 'pad_C' }],
  ['place', { on: 'pad_C' }],
  ['stop', {}],
  ['use_skill', { skill: 'set_color_mode', input: { mode: 'plain' } }],
  ['control', { do: 'take' }],
  ['start_over', { seed: 42 }],
];
const AGENT = 'agent';
const LONGEST_S = 120;

/** Recorded from a robot with a browser, because a picture needs one. The list of things is the same every time. */
const RECORDED_PICTURE: AgentPicture = {
  jpeg: new Uint8Array(),
  reply: {
    status: 'done',
    result: {
      frame: { sim_time_s: 9.958, step: 2390 },
      entities: [{ entity_id: 'pad_C', box: [145, 140, 56, 29], depth_m: 2.26, visible_fraction: 1 }],
    },
  },
};

/** An agent with a robot in a world of seed 1. */
interface StoryAgent {
  use(tool: string, input: object): Promise<ToolReply>;
  dispose(): void;
}

/** Starts the robot of the story, and an agent for it. */
export async function startStoryAgent(): Promise<StoryAgent> {
  const { runtime, stepWhile, nowMs } = await startRecording('simulator');
  async function call(method: MethodName, payload: object): Promise<unknown> {
    let text: string | null = null;
    const request = { requestId: '', method, payload: JSON.stringify(payload), callerIdentity: AGENT, nowMs: nowMs() };
    runtime.handle(request, (answer) => {
      text = answer;
    });
    stepWhile(() => text === null, LONGEST_S);
    if (text === null) throw new Error(`${method} has no reply within ${LONGEST_S} s.`);
    return JSON.parse(text);
  }
  const robot: RobotAccess = {
    profile: 'simulator',
    identity: AGENT,
    async invoke(name, input, { actionId, deadlineS }) {
      const options = { action_id: actionId, ...(deadlineS === undefined ? {} : { deadline_s: deadlineS }) };
      return (await call('runtime.tools_call', { name, input, options })) as SkillReply;
    },
    read: (method, payload = {}) => call(method, payload),
    cancel: (actionId) => call('runtime.cancel', { options: { action_id: actionId } }),
    control: (request) => call('runtime.control', request),
    takePicture: async () => RECORDED_PICTURE,
  };
  let ids = 0;
  const clock: AgentContext['clock'] = {
    nowMs,
    // Calls end without waiting, so a pause ends only when its owner ends it.
    pause: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal === undefined || signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
  const agent = createAgent({
    robot,
    place: { robotModel: 'humanoid', watchUrl: null, instruction: null, isExam: false, restart: null },
    clock,
    agentName: () => 'Agent',
    newId: () => `action-${++ids}`,
  });
  return {
    async use(tool, input) {
      const { reply, delivered } = await agent.call(tool, input, { signal: new AbortController().signal });
      delivered();
      return reply;
    },
    dispose: () => runtime.dispose(),
  };
}

/** Runs the story. @returns the first call of each tool @throws Error if a call fails */
export async function tellToolCalls(): Promise<Map<string, ShownCall>> {
  const agent = await startStoryAgent();
  const shown = new Map<string, ShownCall>();
  for (const [tool, input] of STORY) {
    const reply = await agent.use(tool, input);
    if (reply.isError) throw new Error(`The story breaks: ${tool} ${JSON.stringify(input)} is answered ${reply.said}`);
    if (!shown.has(tool)) shown.set(tool, { input, facts: reply.facts });
  }
  agent.dispose();
  return shown;
}
