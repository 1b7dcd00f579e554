import { type Agent, type CallOptions, createAgent } from '../../../src/agent-tools/agent.ts';
import type { AgentClock, AgentPlace } from '../../../src/agent-tools/agent-context.ts';
import type { ReadMethod, RobotAccess, SkillReply } from '../../../src/agent-tools/robot-access.ts';
import type { ToolReply } from '../../../src/agent-tools/tool-reply.ts';

/** A skill call that the fake robot received. */
export interface FakeCall {
  skill: string;
  input: object;
  actionId: string;
  deadlineS: number | undefined;
  end(reply: SkillReply): void;
  fail(thrown: unknown): void;
}

/** A clock that only the test moves. */
export interface TestClock extends AgentClock {
  /** Passes time in steps, and lets everything run that waits for it. */
  pass(ms: number): Promise<void>;
  /** The number of pauses that have not ended. */
  waiting(): number;
}

/** Lets all code run that does not wait for the clock. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export function createTestClock(): TestClock {
  let nowMs = 0;
  const pauses = new Set<{ atMs: number; end(): void }>();
  return {
    nowMs: () => nowMs,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || ms <= 0) {
          resolve();
          return;
        }
        const one = {
          atMs: nowMs + ms,
          end() {
            pauses.delete(one);
            resolve();
          },
        };
        pauses.add(one);
        signal?.addEventListener('abort', () => one.end(), { once: true });
      }),
    async pass(ms) {
      const untilMs = nowMs + ms;
      await settle();
      for (;;) {
        const [next] = [...pauses].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
        if (!next) break;
        nowMs = Math.max(nowMs, next.atMs);
        next.end();
        await settle();
      }
      nowMs = untilMs;
      await settle();
    },
    waiting: () => pauses.size,
  };
}

/** The state of a robot that stands at x 1, y 2. */
export const standing = (changes: { status?: string; held?: string[]; x?: number; driver?: unknown; active?: object } = {}) => ({
  timestamp: { sim_time_s: 12.3456 },
  runtime: changes.active ? { active_action: changes.active } : {},
  robot: {
    pose: { position: [changes.x ?? 1, 2, 0], yaw_deg: 90 },
    status: changes.status ?? 'ready',
    held_entity_ids: changes.held ?? [],
    extra: { driver: changes.driver ?? null, sim: { seed: 7, speed: 1 } },
  },
});

export interface FakeRobot {
  agent: Agent;
  clock: TestClock;
  /** Calls in the order of their arrival, with their ends. */
  calls: FakeCall[];
  cancelled: string[];
  reads: { method: ReadMethod; payload: object | undefined }[];
  /** Replaces what the robot answers. */
  answer: {
    read: (method: ReadMethod, payload?: object) => unknown;
    cancel: (actionId: string) => unknown;
    invoke: ((call: FakeCall) => void) | null;
    control: (request: object) => unknown;
    takePicture: RobotAccess['takePicture'];
  };
  /** Calls a tool and notes that the client received the reply. */
  use(tool: string, input?: unknown, options?: Partial<CallOptions>): Promise<ToolReply>;
}

/** Creates an agent over a robot whose answers the test decides. A cancelled action ends as the runtime ends it. */
export function fakeRobot(
  place: Partial<AgentPlace> = {},
  agentName = (): string => 'Test',
  { identity }: Pick<RobotAccess, 'identity'> = { identity: 'agent' },
): FakeRobot {
  const clock = createTestClock();
  const calls: FakeCall[] = [];
  const cancelled: string[] = [];
  const reads: FakeRobot['reads'] = [];
  const answer: FakeRobot['answer'] = {
    read: (method) =>
      method === 'runtime.state' ? standing() : method === 'runtime.scene_layout' ? { scene_id: 'hall' } : { entities: {} },
    cancel(actionId) {
      calls.find((call) => call.actionId === actionId)?.end(cancelledReply(actionId));
      return { status: 'done' };
    },
    invoke: null,
    control: () => ({ status: 'done', driver: null, you_drive: false }),
    takePicture: async () => ({ reply: { status: 'done', result: {} }, jpeg: new Uint8Array(10) }),
  };
  const robot: RobotAccess = {
    profile: 'simulator',
    identity,
    invoke: (skill, input, { actionId, deadlineS }) =>
      new Promise((end, fail) => {
        const call = { skill, input, actionId, deadlineS, end, fail };
        calls.push(call);
        if (skill === 'cancel') end({ status: 'done', result: { cancelled_action_ids: [] }, meta: { action_id: actionId } });
        else answer.invoke?.(call);
      }),
    async read(method, payload) {
      reads.push({ method, payload });
      return answer.read(method, payload);
    },
    async cancel(actionId) {
      cancelled.push(actionId);
      return answer.cancel(actionId);
    },
    control: async (request) => answer.control(request),
    takePicture: (camera, size) => answer.takePicture(camera, size),
  };
  let ids = 0;
  const agent = createAgent({
    robot,
    place: { robotModel: 'humanoid', watchUrl: null, instruction: null, isExam: false, restart: null, ...place },
    clock,
    agentName,
    newId: () => `id-${++ids}`,
  });
  return {
    agent,
    clock,
    calls,
    cancelled,
    reads,
    answer,
    async use(tool, input = {}, options = {}) {
      const { reply, delivered } = await agent.call(tool, input, { signal: new AbortController().signal, ...options });
      delivered();
      return reply;
    },
  };
}

/** The end of an action that did what was asked. */
export const doneReply = (actionId: string, result: Record<string, unknown> = {}): SkillReply => ({
  status: 'done',
  result,
  meta: { action_id: actionId },
});

export const cancelledReply = (actionId: string): SkillReply => ({
  status: 'failed',
  error: { code: 'CANCELLED', message: 'The action was cancelled.', details: { attempted: true, world_changed: 'no' } },
  meta: { action_id: actionId },
});

/** Ends every action at once, as done. */
export const endsAtOnce = (call: FakeCall): void => call.end(doneReply(call.actionId));
