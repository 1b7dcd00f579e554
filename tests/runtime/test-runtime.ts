import assert from 'node:assert/strict';
import RAPIER from '@dimforge/rapier3d-compat';
import { type RoomEvent, roomEventSchema } from '../../src/protocol/room/room-events.ts';
import { actionResultSchema, guardSchema } from '../../src/protocol/wire/action.ts';
import { utf8Bytes } from '../../src/protocol/wire/json.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../../src/protocol/wire/limits.ts';
import type { RcwSkillName } from '../../src/protocol/wire/rcw-skills.ts';
import { COMMON_FAILURES, RCW_FAILURES, SKILL_FAILURES } from '../../src/protocol/wire/skill-failures.ts';
import { isSkillName } from '../../src/protocol/wire/skills.ts';
import { contractFor } from '../../src/runtime/contract-of.ts';
import { createCore, type RuntimeCore } from '../../src/runtime/core.ts';
import {
  type AcceptedAction,
  type ActionRecord,
  type CancelledAction,
  type CaptureJob,
  type KeptAction,
  type Runtime,
  type RuntimeDeps,
  type RuntimeFault,
  runtimeOver,
  type StoredAction,
} from '../../src/runtime/runtime.ts';
import type { SignedBy } from '../../src/runtime/runtime-call.ts';
import { checkRpcReply } from '../client-models/check.ts';
import { judgeEnds } from '../oracle/judge-ends.ts';
import { readTruth } from '../oracle/truth.ts';

/** A reply of the wire, read as loosely as a client does. */
// biome-ignore lint/suspicious/noExplicitAny: replies of all methods, judged by the schemas and by each test.
export type Reply = any;

export interface PendingCall {
  /** Null until the runtime has answered. */
  reply: Reply | null;
  replies: number;
}

export interface TestRuntime {
  runtime: Runtime;
  /** For the judge: the physics world, which the runtime replaces on a reset. */
  core: RuntimeCore;
  records: ActionRecord[];
  /** As the page keeps them, before any of their events. */
  accepted: AcceptedAction[];
  ended: StoredAction[];
  cancels: CancelledAction[];
  faults: RuntimeFault[];
  jobs: CaptureJob[];
  /** The events for the whole room. */
  events: RoomEvent[];
  /** The reported scenes, and between them the requested pictures. */
  scenes: string[];
  /** Milliseconds since the epoch; moves with the steps, and when a test sets it. */
  nowMs: number;
  /** Calls a method with a JSON payload and does not step. */
  send(method: string, payload?: unknown, caller?: string): PendingCall;
  sendText(method: string, payload: string, caller?: string, signedBy?: SignedBy): PendingCall;
  /** Calls a skill and does not step. */
  start(name: string, input?: unknown, options?: Record<string, unknown>, caller?: string): PendingCall;
  /** Calls a skill and steps until it has answered. */
  invoke(name: string, input?: unknown, options?: Record<string, unknown>): Reply;
  /** Reads at once. */
  read(method: string, payload?: unknown): Reply;
  advance(steps?: number): void;
  /** Steps until a condition holds; fails if it does not in time. */
  stepUntil(condition: () => boolean, withinS?: number): void;
  /** Steps until this call has answered. */
  finish(call: PendingCall, withinS?: number): Reply;
}

/** The id of their life in runtimes of tests. */
export const LIFE_ID = 'life-of-the-test';
const EPOCH_MS = 1_760_000_000_000;
const STEP_MS = 1000 / 120;
let ready: Promise<void> | null = null;

/**
 * A runtime with a fake clock tied to its steps. Every reply is checked against the wire's schemas (promises P3, P4) and the
 * fields that existing clients read.
 */
export async function createTestRuntime(
  options: Pick<RuntimeDeps, 'profile' | 'signedControlRequired' | 'cameras' | 'robotId' | 'scenes'> & {
    seed?: number;
    sceneId?: string;
    /** The memory of an earlier runtime. */
    storedResults?: readonly KeptAction[];
  } = {},
): Promise<TestRuntime> {
  ready ??= RAPIER.init();
  await ready;
  let ids = 0;
  const records: ActionRecord[] = [];
  const accepted: AcceptedAction[] = [];
  const ended: StoredAction[] = [];
  const cancels: CancelledAction[] = [];
  const faults: RuntimeFault[] = [];
  const jobs: CaptureJob[] = [];
  const events: RoomEvent[] = [];
  const scenes: string[] = [];
  const core = createCore(
    {
      rapier: RAPIER,
      seed: options.seed ?? 1,
      ...(options.scenes ? { scenes: options.scenes } : {}),
      ...(options.sceneId === undefined ? {} : { sceneId: options.sceneId }),
      productVersion: '0.0.0-test',
      lifeId: LIFE_ID,
      newActionId: () => `made-${++ids}`,
      ...(options.profile ? { profile: options.profile } : {}),
      ...(options.robotId ? { robotId: options.robotId } : {}),
      ...(options.cameras ? { cameras: options.cameras } : {}),
      ...(options.signedControlRequired === undefined ? {} : { signedControlRequired: options.signedControlRequired }),
      onPlace: ({ scene_id }) => void scenes.push(scene_id),
      startCapture: (job) => {
        jobs.push(job);
        scenes.push(`picture of ${job.camera}`);
      },
      onAction: (record) => void records.push(record),
      onAccepted: (action) => void accepted.push(action),
      onFault: (fault) => void faults.push(fault),
      onEvent: (event) => void events.push(roomEventSchema.parse(event)),
      onEnded: (stored) => void ended.push(stored),
      onCancelled: (cancelled) => void cancels.push(cancelled),
    },
    contractFor(options),
  );
  const runtime = watched(runtimeOver(core));
  runtime.recall(options.storedResults ?? [], EPOCH_MS);
  let requests = 0;
  /**
   * The findings of checks of replies. The runtime catches exceptions of a receiver, so a finding is thrown after the call or the
   * step.
   */
  const wrong: unknown[] = [];
  const raise = (): void => {
    const [first] = wrong.splice(0);
    if (first !== undefined) throw first;
  };
  const test: TestRuntime = {
    runtime,
    core,
    records,
    accepted,
    ended,
    cancels,
    faults,
    jobs,
    events,
    scenes,
    nowMs: EPOCH_MS,
    send: (method, payload = {}, caller) => test.sendText(method, JSON.stringify(payload), caller),
    sendText(method, payload, caller = 'agent', signedBy) {
      const call: PendingCall = { reply: null, replies: 0 };
      requests += 1;
      const judge = method === 'runtime.tools_call' ? watchEnd(core, records, payload) : null;
      const request = { requestId: `r${requests}`, method, payload, callerIdentity: caller, nowMs: test.nowMs, signedBy };
      runtime.handle(request, (text) => {
        call.replies += 1;
        call.reply = JSON.parse(text);
        try {
          assert.ok(utf8Bytes(text) <= RPC_PAYLOAD_MAX_BYTES, `a reply of ${utf8Bytes(text)} bytes`);
          checkEnvelope(call.reply);
          if (method === 'runtime.tools_call') checkDocumented(core, payload, call.reply);
          judge?.(call.reply);
        } catch (breach) {
          wrong.push(breach);
        }
      });
      raise();
      return call;
    },
    start: (name, input = {}, callOptions, caller) =>
      test.send('runtime.tools_call', { name, input, ...(callOptions ? { options: callOptions } : {}) }, caller),
    invoke: (name, input, callOptions) => test.finish(test.start(name, input, callOptions)),
    read(method, payload) {
      const call = test.send(method, payload);
      assert.equal(call.replies, 1, `${method} answers at once`);
      return call.reply;
    },
    advance(steps = 1) {
      for (let i = 0; i < steps; i += 1) {
        test.nowMs += STEP_MS;
        runtime.step(test.nowMs);
        raise();
      }
    },
    stepUntil(condition, withinS = 60) {
      for (let step = 0; step < withinS * 120; step += 1) {
        if (condition()) return;
        test.advance();
      }
      assert.ok(condition(), `within ${withinS} s`);
    },
    finish(call, withinS = 120) {
      test.stepUntil(() => call.replies > 0, withinS);
      assert.equal(call.replies, 1, 'answered once');
      return call.reply;
    },
  };
  return test;
}

/** Returns the runtime with checks that existing clients can read its answers, whether a host or a call handler calls it. */
function watched(runtime: Runtime): Runtime {
  const handle: Runtime['handle'] = (call, reply) =>
    runtime.handle(call, (text) => {
      checkRpcReply(call.method, text);
      reply(text);
    });
  return { ...runtime, handle };
}

/** P3: a failure is `failed` with its code at the top, never nested in a `done`. */
function checkEnvelope(reply: Reply): void {
  if (reply === null || Array.isArray(reply) || !['done', 'failed'].includes(reply.status)) return;
  if (reply.meta === undefined) guardSchema.parse(reply);
  else actionResultSchema.parse(reply);
  assert.equal(reply.status === 'failed', reply.error !== undefined);
  // The state that get_state reads contains earlier failures, which are not its own.
  if (reply.status === 'done') assert.doesNotMatch(JSON.stringify({ ...reply.result, state: undefined }), /"error":/);
}

/**
 * Reads the bodies before a call of a skill, and at its end: in every test, a lost cube must be reported and a stopped robot must
 * stand.
 * @returns null if this cannot be judged: a worker holds no cubes, and a broken world must not be read
 */
function watchEnd(core: RuntimeCore, records: readonly ActionRecord[], payload: string): ((reply: Reply) => void) | null {
  if (core.contract.profile !== 'simulator' || core.fault !== null) return null;
  const before = readTruth(core, null);
  const recordsBefore = records.length;
  const places = (entries: Iterable<{ name: string }>) => [...entries].some(({ name }) => name === 'place_entity');
  const besidePlaceAtStart = places(core.ledger.active.values());
  return (reply) => {
    const name = nameIn(payload);
    if (name === null || core.fault !== null) return;
    const besidePlace = name !== 'place_entity' && (besidePlaceAtStart || places(records.slice(recordsBefore)));
    const baseIsAnothers = [...core.ledger.active.values()].some(({ claims }) => claims.includes('base'));
    const breaches = judgeEnds({ name, reply, before, after: readTruth(core, null), besidePlace, baseIsAnothers });
    assert.ok(breaches.length === 0, breaches.join(' '));
  };
}

function nameIn(payload: string): string | null {
  try {
    const name: unknown = JSON.parse(payload)?.name;
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

/** A failure of a skill must be one that its manual names. */
function checkDocumented({ contract: { profile } }: RuntimeCore, payload: string, { error }: Reply): void {
  if (error === undefined || [...COMMON_FAILURES, 'UNKNOWN_SKILL'].includes(error.code)) return;
  if (profile === 'worker' && error.code === 'PERMISSION_DENIED') return;
  const { name } = JSON.parse(payload);
  const documented = profile === 'worker' ? RCW_FAILURES[name as RcwSkillName] : isSkillName(name) ? SKILL_FAILURES[name] : [];
  assert.ok(
    documented.includes(error.code),
    `${name} answers ${error.code}, which protocol/wire/skill-failures.ts does not name`,
  );
}

export const entity = (entityId: string) => ({ target: { kind: 'entity', entity_id: entityId } });
export const atPose = (x: number, y: number, z = 0, rest: Record<string, unknown> = {}) => ({
  target: { kind: 'pose', pose: { position: [x, y, z], ...rest } },
});

/** A runtime whose robot stands at a place of the warehouse; heading in degrees. */
export async function startAt(x: number, y: number, yawDeg: number): Promise<TestRuntime> {
  const t = await createTestRuntime();
  const start = { position: [x, y, 0], yaw_deg: yawDeg };
  const reply = t.invoke('select_scene', { scene_id: 'warehouse', start_pose: start });
  assert.equal(reply.status, 'done', JSON.stringify(reply.error));
  return t;
}
