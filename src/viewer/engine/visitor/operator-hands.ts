import { ENVELOPE_METHOD } from '../../../protocol/signed/signed-claims.ts';
import { actionResultSchema, type CallOptions } from '../../../protocol/wire/action.ts';
import type { HandMark } from '../../../protocol/wire/caller.ts';
import { callKind, commandKind, fieldsOf } from '../../../protocol/wire/command-kinds.ts';
import { contractOf } from '../../../protocol/wire/contract.ts';
import { EMERGENCY_STOP_METHOD } from '../../../protocol/wire/emergency-stop.ts';
import { profileOfIdentity } from '../../../protocol/wire/identity.ts';
import { CAPTURE_TOPIC } from '../../../protocol/wire/limits.ts';
import type { MethodName } from '../../../protocol/wire/methods.ts';
import { createPoseChannel, POSES_TOPIC } from '../../../protocol/wire/pose-packets.ts';
import { type SceneState, sceneStateSchema } from '../../../protocol/wire/scene.ts';
import { type RuntimeState, runtimeStateSchema } from '../../../protocol/wire/state.ts';
import { judgeRefusal } from '../../../remote-robot/judge-refusal.ts';
import { outcomeOfAnswer, SILENT } from '../../../remote-robot/press.ts';
import { readRefusal } from '../../../remote-robot/refusal.ts';
import type { VisitorRoom } from '../../../room/visitor-room.ts';
import type { ReceivedPicture } from '../../../room/visitor-session.ts';
import type { ActionView, Engine } from '../types.ts';
import type { OperatorSigner, SealedCall } from './operator-signer.ts';
import { type OwnCall, withCall, withReply, withState } from './own-actions.ts';
import { asOwn } from './own-caller.ts';
import {
  PRESS_AGAIN_AFTER_MS,
  PRESSED_FOR_MS,
  type PressPaths,
  pressByEveryPath,
  STOP_GIVEN_UP,
  STOP_UNANSWERED,
  type StopReport,
} from './press-paths.ts';

export interface OperatorDeps {
  room(): Pick<VisitorRoom, 'call' | 'sendLossy'> | null;
  /** Returns the identity of the runtime that answers; null while there is none. */
  runtime(): string | null;
  /** Returns this page's identity in the room; null while it is outside. */
  self(): string | null;
  signer: Pick<OperatorSigner, 'send'>;
  /** Returns whether the robot accepts signed poses as packets, as its state reports. */
  takesPosePackets(): boolean;
  /** Changes the list of actions that the page shows. */
  changeActions(change: (actions: readonly ActionView[]) => ActionView[]): void;
  onState(state: RuntimeState, tookMs: number): void;
  onScene(scene: SceneState): void;
  /** Reports the progress of a stop from this page. */
  onStop(reported: StopReport): void;
  /** Presses the emergency stop over HTTP; null if no platform serves the page. */
  pressOverHttp: PressPaths['http'];
  newId(): string;
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  /** Milliseconds since the epoch. */
  epochMs(): number;
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>;
}

/**
 * The commands of an operator's page to a robot that runs elsewhere. They travel over the room, like the calls of any program.
 */
export interface OperatorHands extends Pick<Engine, 'call' | 'capture' | 'stop'> {
  emergencyStop(): void;
  takePicture(picture: ReceivedPicture): void;
  /** Takes the robot's answer to a pose that was sent as a packet. */
  takePoseAnswer(bytes: Uint8Array): void;
  /** Notes that the room was joined again, or that another robot is there. */
  forgetPoseWay(): void;
  /** Reads the robot's state, and occasionally its scene. Called periodically; only one reading runs at a time. */
  read(): void;
  /** Returns since when readings have had no answer, by the monotonic clock; null while they are answered. */
  unansweredSinceMs(): number | null;
}

/** A walk takes minutes, and its reply comes at the end. */
const CALL_TIMEOUT_MS = 600_000;
const READ_TIMEOUT_MS = 5_000;
/** If no pose was answered for this long, it is unknown whether the robot still receives them. */
const POSE_TIMEOUT_MS = 5_000;
const PICTURE_TIMEOUT_MS = 15_000;
const SCENE_EVERY_READS = 4;
/** A controller that holds a velocity renews it four times a second. */
const HELD_VELOCITY_ENDS_AFTER_S = 1;
const OWN_REMEMBERED = 500;
const STOP_TIMEOUT_MS = 3_000;

const NOBODY = 'The robot is offline and cannot answer.';

export function createOperatorHands(deps: OperatorDeps): OperatorHands {
  /** Marks of the manual commands of this page, by their actions' ids. */
  const hands = new Map<unknown, HandMark>();
  /** Ids of the latest actions that this page has called for. */
  const own = new Set<string>();
  const pictures = new Map<string, (bytes: Uint8Array) => void>();
  const poses = createPoseChannel({
    send(packet) {
      const to = deps.runtime();
      if (to !== null) deps.room()?.sendLossy(to, POSES_TOPIC, new TextEncoder().encode(packet));
    },
    after(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
    late: () => new Error('The robot has not answered any pose.'),
  });
  /** Poses of this page that are not yet answered. */
  let posesUnderWay = 0;
  /** When the robot accepted the latest pose of this page, by the robot's own clock. */
  let posedAtMs = Number.NEGATIVE_INFINITY;
  let isReading = false;
  let unansweredSinceMs: number | null = null;
  let reads = 0;

  async function ask(method: MethodName, payload: Readonly<Record<string, unknown>>, timeoutMs: number): Promise<unknown> {
    const to = deps.runtime();
    const room = deps.room();
    if (to === null || room === null) throw new Error(NOBODY);
    const isPose = poses.isOpen() && callKind(method, payload) === 'pose' && deps.takesPosePackets();
    const put = async (sealed: SealedCall): Promise<unknown> =>
      JSON.parse(
        isPose && sealed.method === ENVELOPE_METHOD
          ? await poses.call(sealed.payload, POSE_TIMEOUT_MS)
          : await room.call({ to, ...sealed, timeoutMs }),
      );
    const profile = profileOfIdentity(to);
    const isSigned = profile !== null && contractOf(profile).isSigned;
    const reply = await (isSigned
      ? deps.signer.send({ to, method, payload, timeoutMs, send: put })
      : put({ method, payload: JSON.stringify(payload) }));
    return asOwn(reply, deps.self(), (id) => hands.get(id) ?? null);
  }

  async function call(method: MethodName, payload: unknown = {}, hand?: HandMark): Promise<unknown> {
    const fields = payload as Record<string, unknown>;
    if (method !== 'runtime.tools_call') return ask(method, fields, timeoutOf(method));
    const options: CallOptions = { ...(hand && boundOf(fields)), ...(fields.options as CallOptions | undefined) };
    const actionId = options.action_id ?? deps.newId();
    if (callKind(method, fields) === 'pose') return pose({ ...fields, options: { ...options, action_id: actionId } });
    const called: OwnCall = {
      actionId,
      kind: 'tool',
      name: String(fields.name),
      input: fields.input ?? {},
      hand,
      atMs: deps.epochMs(),
    };
    remember(actionId, hand);
    deps.changeActions((actions) => withCall(actions, called));
    try {
      const reply = await ask(method, { ...fields, options: { ...options, action_id: actionId } }, CALL_TIMEOUT_MS);
      deps.changeActions((actions) => withReply(actions, called, reply));
      return reply;
    } catch (error) {
      // Whether the action was carried out is unknown; the robot's next state shows whether it runs.
      deps.changeActions((actions) => withReply(actions, called, null));
      throw error;
    }
  }

  /** Sends a pose. The robot's state shows which pose the arms follow, for all poses together. */
  async function pose(payload: Record<string, unknown>): Promise<unknown> {
    posesUnderWay += 1;
    try {
      const reply = await ask('runtime.tools_call', payload, CALL_TIMEOUT_MS);
      const taken = actionResultSchema.safeParse(reply).data;
      if (taken?.status === 'done') posedAtMs = Math.max(posedAtMs, taken.meta.started_at_ms);
      return reply;
    } finally {
      posesUnderWay -= 1;
    }
  }

  function remember(actionId: string, hand: HandMark | undefined): void {
    own.add(actionId);
    if (hand) hands.set(actionId, hand);
    const [oldest] = own;
    if (own.size <= OWN_REMEMBERED || oldest === undefined) return;
    own.delete(oldest);
    hands.delete(oldest);
  }

  /** The robot follows the latest sender of a pose. A sender that began before our latest pose has given way to it. */
  const isFollowingOurs = (startedAtMs: number): boolean => posesUnderWay > 0 || startedAtMs <= posedAtMs;

  /**
   * Repeats a stop until the robot has answered it; a refusal whose reason may pass is not such an answer. With one id, it counts as
   * one stop, however often it arrives.
   */
  async function insist(method: MethodName, payload: Record<string, unknown>): Promise<void> {
    const untilMs = deps.nowMs() + PRESSED_FOR_MS;
    let problem: string | null = null;
    while (deps.nowMs() < untilMs) {
      const reply = await ask(method, payload, STOP_TIMEOUT_MS).catch(() => null);
      const refusal = readRefusal(reply);
      const mayPass = refusal !== null && judgeRefusal(refusal, { refusals: 1, kind: 'stop' }).retry !== 'no';
      if (reply !== null && !mayPass) return deps.onStop({ problem: refusalOf(reply), done: null });
      problem = mayPass ? refusalOf(reply) : null;
      deps.onStop({ problem: problem ?? STOP_UNANSWERED, done: null });
      await deps.sleep(PRESS_AGAIN_AFTER_MS);
    }
    deps.onStop({ problem: problem ?? STOP_GIVEN_UP, done: null });
  }

  return {
    call,
    stop() {
      const profile = profileOfIdentity(deps.runtime() ?? '');
      const holds = profile !== null && contractOf(profile).holdsVelocity;
      void insist('runtime.tools_call', { name: holds ? 'stop' : 'cancel', input: {}, options: { action_id: deps.newId() } });
    },
    emergencyStop() {
      const room = () => ask(EMERGENCY_STOP_METHOD, {}, STOP_TIMEOUT_MS).then(outcomeOfAnswer, () => SILENT);
      const { nowMs, sleep } = deps;
      void pressByEveryPath({ room, http: deps.pressOverHttp }, { report: deps.onStop, nowMs, sleep });
    },
    async capture(camera, widthPx, heightPx) {
      const id = deps.newId();
      const came = new Promise<Uint8Array>((resolve) => pictures.set(id, resolve));
      try {
        const reply = await ask(
          'runtime.cameras_capture',
          {
            selector: { kind: 'id', id: camera },
            options: { width: widthPx, height: heightPx },
            stream: { id, topic: CAPTURE_TOPIC },
          },
          PICTURE_TIMEOUT_MS,
        );
        const { status, error } = reply as { status?: string; error?: { message?: string } };
        if (status !== 'done') throw new Error(error?.message ?? 'The robot took no picture.');
        const bytes = await Promise.race([came, deps.sleep(PICTURE_TIMEOUT_MS)]);
        if (!bytes) throw new Error('The picture did not arrive in time.');
        return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });
      } finally {
        pictures.delete(id);
      }
    },
    takePicture({ bytes, requestId, identity }) {
      if (identity === deps.runtime()) pictures.get(requestId)?.(bytes);
    },
    unansweredSinceMs: () => unansweredSinceMs,
    forgetPoseWay() {
      poses.close();
      posedAtMs = Number.NEGATIVE_INFINITY;
    },
    takePoseAnswer: (bytes) => poses.take(new TextDecoder().decode(bytes)),
    read() {
      if (isReading || deps.runtime() === null || deps.room() === null) return;
      isReading = true;
      if (deps.takesPosePackets()) poses.probe();
      void readOnce().finally(() => {
        isReading = false;
      });
    },
  };

  async function readOnce(): Promise<void> {
    const startMs = deps.nowMs();
    unansweredSinceMs ??= startMs;
    const state = await ask('runtime.state', {}, READ_TIMEOUT_MS).catch(() => null);
    const read = runtimeStateSchema.safeParse(state).data;
    if (read) {
      unansweredSinceMs = null;
      deps.onState(read, deps.nowMs() - startMs);
      deps.changeActions((actions) => withState(actions, read, (id) => own.has(id), isFollowingOurs));
    }
    reads += 1;
    if (reads % SCENE_EVERY_READS !== 1) return;
    const scene = sceneStateSchema.safeParse(await ask('runtime.scene_state', {}, READ_TIMEOUT_MS).catch(() => null)).data;
    if (scene) deps.onScene(scene);
  }
}

/** Returns why the robot did not stop; null if it did, or if there was nothing to stop. */
function refusalOf(reply: unknown): string | null {
  const { status, error } = (reply ?? {}) as { status?: string; error?: { message?: string } };
  return status === 'done' ? null : (error?.message ?? 'The robot rejected the stop.');
}

/**
 * Returns the time limit of a held velocity. In the physical contract, a velocity continues until another command. The holder may
 * lose the connection to the robot, which runs elsewhere and would keep moving.
 */
const boundOf = ({ name, input }: Record<string, unknown>): CallOptions =>
  commandKind(name, input) === 'drive' && plainlyHolds(input) ? { deadline_s: HELD_VELOCITY_ENDS_AFTER_S } : {};

/** The simulator's velocities carry their own duration. */
const plainlyHolds = (input: unknown): boolean => fieldsOf(input).duration_s === undefined;

const timeoutOf = (method: MethodName): number => (method === 'runtime.forward_envelope' ? CALL_TIMEOUT_MS : READ_TIMEOUT_MS);
