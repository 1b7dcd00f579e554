import RAPIER from '@dimforge/rapier3d-compat';
import { type Agent, createAgent } from '../../src/agent-tools/agent.ts';
import type { AgentClock, AgentPlace } from '../../src/agent-tools/agent-context.ts';
import type { RobotAccess, SkillReply } from '../../src/agent-tools/robot-access.ts';
import { STEPS_PER_SECOND } from '../../src/protocol/wire/limits.ts';
import type { MethodName } from '../../src/protocol/wire/methods.ts';
import { contractFor } from '../../src/runtime/contract-of.ts';
import { createCore, type RuntimeCore, type RuntimeDeps } from '../../src/runtime/core.ts';
import { type Runtime, runtimeOver } from '../../src/runtime/runtime.ts';
import { STOPPED_MPS, STOPPED_RPS } from '../../tests/oracle/judge-ends.ts';

/** The identity of the agent's calls. */
const AGENT = 'agent';
const BEGINS_AT_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 1_000 / STEPS_PER_SECOND;
/** Turns of the event loop for each step. Bytes between client and server need some of them, so little simulated time passes. */
const TURNS_A_STEP = 4;
/** Steps that are made at once at most, at the pace of the wall clock. */
const CATCH_UP_STEPS = 4;

/** A skill call that reached the robot. */
export interface ArrivedCall {
  method: MethodName;
  /** The id of the action that the call starts or cancels. */
  actionId: string;
  skill: string;
  atStep: number;
}

/**
 * A simulated robot of an agent whose time passes only with steps, also for the agent's tools. It stands for the host of the
 * product, which makes the steps by the clock of the process.
 */
export interface SteppedRobot {
  readonly access: RobotAccess;
  readonly clock: AgentClock;
  readonly runtime: Runtime;
  /** For the judge. Null for the runtime of a task. */
  readonly core: RuntimeCore | null;
  /** Steps made. */
  readonly steps: number;
  /** The step after which the base moved last, by the velocities of its body. */
  readonly movedAtStep: number;
  /** Skill calls and cancels, in the order of their arrival. */
  readonly arrived: ArrivedCall[];
  /** The actions that began, by their id. */
  readonly accepted: Map<string, number>;
  step(): void;
  /** Makes steps until the condition holds. @returns whether it holds within this many steps */
  until(condition: () => boolean, withinSteps: number): Promise<boolean>;
  /** Makes steps at the pace of the wall clock until the condition holds. @returns whether it holds within this many steps */
  untilInRealTime(condition: () => boolean, withinSteps: number): Promise<boolean>;
  dispose(): void;
}

type Speeds = { linvel(): { x: number; y: number }; angvel(): { z: number } };

/** Creates the robot in a scene. @param makeRuntime for the runtime of a task, which has its own scene */
export async function createSteppedRobot(
  seed: number,
  sceneId: string,
  makeRuntime?: (deps: RuntimeDeps) => { runtime: Runtime; body(): Speeds },
): Promise<SteppedRobot> {
  await RAPIER.init();
  const accepted = new Map<string, number>();
  let ids = 0;
  const deps: RuntimeDeps = {
    rapier: RAPIER,
    seed,
    sceneId,
    productVersion: '0.0.0-proof',
    newActionId: () => `made-${++ids}`,
    cameras: { kind: 'none' },
    startCapture: () => undefined,
    onAction: () => undefined,
    onAccepted: ({ actionId: id }) => void accepted.set(id, (accepted.get(id) ?? 0) + 1),
  };
  const core = makeRuntime ? null : createCore(deps, contractFor({ profile: 'simulator' }));
  const made = makeRuntime?.(deps) ?? {
    runtime: runtimeOver(core as RuntimeCore),
    body: () => (core as RuntimeCore).world.base.rigidBody,
  };
  return steppedOver(made, core, accepted);
}

function steppedOver(
  { runtime, body }: { runtime: Runtime; body(): Speeds },
  core: RuntimeCore | null,
  accepted: Map<string, number>,
): SteppedRobot {
  let steps = 0;
  let movedAtStep = 0;
  let requests = 0;
  const arrived: ArrivedCall[] = [];
  const pauses = new Set<{ atStep: number; end(): void }>();
  const nowMs = (): number => Math.round(BEGINS_AT_MS + steps * STEP_MS);

  function call(method: MethodName, payload: object): Promise<unknown> {
    requests += 1;
    const text = JSON.stringify(payload);
    const request = { requestId: `request-${requests}`, method, payload: text, callerIdentity: AGENT, nowMs: nowMs() };
    return new Promise((resolve) => runtime.handle(request, (reply) => resolve(JSON.parse(reply))));
  }

  function note(method: MethodName, skill: string, actionId: string): void {
    arrived.push({ method, skill, actionId, atStep: steps });
  }

  const access: RobotAccess = {
    profile: 'simulator',
    identity: AGENT,
    async invoke(skill, input, { actionId, deadlineS }) {
      note('runtime.tools_call', skill, actionId);
      const options = { action_id: actionId, ...(deadlineS === undefined ? {} : { deadline_s: deadlineS }) };
      return (await call('runtime.tools_call', { name: skill, input, options })) as SkillReply;
    },
    read: (method, payload = {}) => call(method, payload),
    cancel(actionId) {
      note('runtime.cancel', 'cancel', actionId);
      return call('runtime.cancel', { options: { action_id: actionId } });
    },
    control: (request) => call('runtime.control', request),
    takePicture: () => Promise.reject(new Error('The robot has no cameras.')),
  };

  const clock: AgentClock = {
    nowMs: () => steps * STEP_MS,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const one = {
          atStep: steps + Math.ceil(ms / STEP_MS),
          end() {
            pauses.delete(one);
            signal?.removeEventListener('abort', one.end);
            resolve();
          },
        };
        pauses.add(one);
        signal?.addEventListener('abort', one.end, { once: true });
      }),
  };

  const robot: SteppedRobot = {
    access,
    clock,
    runtime,
    core,
    get steps() {
      return steps;
    },
    get movedAtStep() {
      return movedAtStep;
    },
    arrived,
    accepted,
    step() {
      steps += 1;
      runtime.step(nowMs());
      const rigidBody = body();
      const { x, y } = rigidBody.linvel();
      if (Math.hypot(x, y) >= STOPPED_MPS || Math.abs(rigidBody.angvel().z) >= STOPPED_RPS) movedAtStep = steps;
      for (const pause of [...pauses]) if (pause.atStep <= steps) pause.end();
    },
    async until(condition, withinSteps) {
      for (let made = 0; ; made += 1) {
        for (let turn = 0; turn < TURNS_A_STEP; turn += 1) {
          if (condition()) return true;
          await new Promise((resolve) => setImmediate(resolve));
        }
        if (made >= withinSteps) return condition();
        robot.step();
      }
    },
    async untilInRealTime(condition, withinSteps) {
      const fromStep = steps;
      let dueAtMs = performance.now();
      while (!condition() && steps - fromStep < withinSteps) {
        await new Promise((resolve) => setTimeout(resolve, STEP_MS / 2));
        // On a busy machine, time that was missed does not count as simulated: the message of an end waits too.
        const atMs = performance.now();
        dueAtMs = Math.max(dueAtMs, atMs - CATCH_UP_STEPS * STEP_MS);
        for (; dueAtMs <= atMs && !condition(); dueAtMs += STEP_MS) robot.step();
      }
      return condition();
    },
    dispose: () => runtime.dispose(),
  };
  return robot;
}

/** An action ends within this time. */
const DURING_STEPS = 120 * STEPS_PER_SECOND;

/** Makes steps until a promise settles. @returns its value; null if it rejects or does not settle in time */
export async function during<T>(robot: SteppedRobot, value: Promise<T>, steps = DURING_STEPS): Promise<T | null> {
  let got: { value: T } | null = null;
  let isLost = false;
  value.then(
    (one) => {
      got = { value: one };
    },
    () => {
      isLost = true;
    },
  );
  await robot.until(() => got !== null || isLost, steps);
  return (got as { value: T } | null)?.value ?? null;
}

/** The circumstances of an agent without a task. */
const NO_TASK: AgentPlace = {
  robotModel: 'humanoid',
  watchUrl: null,
  instruction: null,
  isExam: false,
  restart: null,
};

/** Observes the calls of a client and the replies that count as received. */
export interface AgentObserver {
  onCall(): void;
  onDelivered(): void;
}

/** Agents of one robot must not share ids. */
let ownIds = 0;

/** Creates the tools of one client over a robot. */
export function agentOver(
  { access, clock }: Pick<SteppedRobot, 'access' | 'clock'>,
  place: Partial<AgentPlace> = {},
  observer?: AgentObserver,
): Agent {
  const agent = createAgent({
    robot: access,
    place: { ...NO_TASK, ...place },
    clock,
    agentName: () => 'proof',
    newId: () => `own-${++ownIds}`,
  });
  if (observer === undefined) return agent;
  return {
    ...agent,
    async call(...asked) {
      observer.onCall();
      const answered = await agent.call(...asked);
      const { delivered } = answered;
      return {
        ...answered,
        delivered() {
          delivered();
          observer.onDelivered();
        },
      };
    },
  };
}
