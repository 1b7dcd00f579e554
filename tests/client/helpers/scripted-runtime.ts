import { createHash } from 'node:crypto';
import { Room, type RpcInvocationData } from '@livekit/rtc-node';
import { leaveRoom } from '../../../src/client/internal/transport/node-transport.ts';
import { actionNotFound } from '../../../src/protocol/texts/error-texts.ts';
import { runtimeError } from '../../../src/protocol/wire/error-codes.ts';
import { parsePayload } from '../../../src/protocol/wire/json.ts';
import { isMethodName, METHOD_REQUESTS, type MethodRequest } from '../../../src/protocol/wire/methods.ts';
import { skillDescriptors } from '../../../src/protocol/wire/skill-descriptors.ts';
import { isSkillName, SKILLS } from '../../../src/protocol/wire/skills.ts';
import { checkRpcReply } from '../../client-models/check.ts';

/**
 * A participant that answers as a runtime does, without a world: for tests of the client against a real SFU. Skills end at once,
 * but `go_to` an entity runs until it is cancelled or `goToMs` have passed.
 */
export interface ScriptedRuntime {
  /** The number of started actions with distinct ids. */
  executions(): number;
  /** The number of replies of this method that are held back for ever. */
  loseReplies(method: string, count: number): void;
  /** Whether `cameras_capture` sends corrupt bytes; the announced length and hash stay those of the correct picture. */
  corruptPictures(corrupt: boolean): void;
  /** Rejoins the room with its records, as a displaced tab or worker does, and gives up its previous room. */
  rejoin(): Promise<void>;
  leave(): Promise<void>;
}

type Reply = Record<string, unknown> | unknown[];
type Handler = (payload: Record<string, unknown>, call: RpcInvocationData) => Reply | Promise<Reply>;

const PICTURE_BYTES = 60_000;
/** Not a real picture, but JPEG in its headers, and large enough for several packets. */
function pictureOf(width: number, height: number): Uint8Array {
  // Start of image, then a frame header (ITU T.81, B.2.2) of one component.
  const head = [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0];
  return Uint8Array.from({ length: PICTURE_BYTES }, (_, index) => head[index] ?? (index * 31) % 256);
}
const guard = (error: ReturnType<typeof runtimeError>): Reply => ({ status: 'failed', error });
const active = { kind: 'tool', name: 'go_to', started_at_ms: 0, phase: 'walking' };
const timestamp = () => ({ step: 120, sim_time_s: 1, wall_time_ms: Date.now() });
const pose = { frame_id: 'world', position: [0.405, -1.497, 0.62], yaw_deg: 0 };

export async function joinScriptedRuntime(
  url: string,
  token: string,
  options: { goToMs?: number } = {},
): Promise<ScriptedRuntime> {
  let room = new Room();
  const ended = new Map<string, Reply>();
  const running = new Map<string, { name: string; end: (error?: ReturnType<typeof runtimeError>) => void }>();
  const lost = new Map<string, number>();
  const started = new Set<string>();
  let corrupt = false;

  function runAction(name: string, input: Record<string, unknown>, id: string): Promise<Reply> {
    started.add(id);
    const startedAtMs = Date.now();
    return new Promise((resolve) => {
      const finish = (error?: ReturnType<typeof runtimeError>) => {
        clearTimeout(timer);
        running.delete(id);
        const finishedAtMs = Date.now();
        const meta = {
          action_id: id,
          started_at_ms: startedAtMs,
          finished_at_ms: finishedAtMs,
          duration_ms: finishedAtMs - startedAtMs,
        };
        const reply = error ? { status: 'failed', error, meta } : { status: 'done', result: resultOf(name, input), meta };
        ended.set(id, reply);
        resolve(reply);
      };
      const timer = setTimeout(finish, isWalkToEntity(name, input) ? (options.goToMs ?? 60_000) : 0);
      running.set(id, { name, end: finish });
    });
  }

  const joined = new Map<string, Promise<Reply>>();
  const handlers: Record<string, Handler> = {
    'runtime.tools_list': () => skillDescriptors(),
    'runtime.tools_call': (payload) => {
      const { name, input, options: callOptions } = payload as { name: string; input: unknown; options?: { action_id?: string } };
      if (!isSkillName(name)) return guard(runtimeError('UNKNOWN_SKILL', `There is no skill ${name}.`));
      const parsed = SKILLS[name].input.safeParse(input);
      if (!parsed.success) return guard(runtimeError('INVALID_INPUT', parsed.error.issues[0]?.message ?? 'invalid'));
      const unknown = unknownEntity(parsed.data);
      if (unknown !== null) return guard(runtimeError('UNKNOWN_ENTITY', `Nothing is called ${unknown}.`));
      const id = callOptions?.action_id ?? `a${started.size}`;
      const reply = joined.get(id) ?? runAction(name, parsed.data, id);
      joined.set(id, reply);
      return reply;
    },
    'runtime.cancel': async (payload) => {
      const { action_id } = (payload.options ?? { action_id: 'cancel-active' }) as { action_id: string };
      const id = action_id === 'cancel-active' ? [...running.keys()][0] : action_id;
      const action = id === undefined ? undefined : running.get(id);
      if (id === undefined || !action) return guard(actionNotFound(action_id));
      action.end(runtimeError('CANCELLED', 'The action was cancelled.', { attempted: true, worldChanged: 'yes' }));
      return ended.get(id) ?? {};
    },
    'runtime.action': ({ action_id }) => {
      const id = String(action_id);
      return (
        ended.get(id) ??
        (running.has(id) ? { status: 'running', active_action: { ...active, action_id: id } } : guard(actionNotFound(id)))
      );
    },
    'runtime.state': () => ({
      timestamp: timestamp(),
      runtime: { status: 'ready', accepts_tool_calls: true, accepts_capture_requests: true },
      robot: { entity_id: 'robot', pose, status: 'ready', held_entity_ids: [], extra: {} },
    }),
    'runtime.scene_state': () => ({
      timestamp: timestamp(),
      entities: {
        cube_0: { entity_id: 'cube_0', kind: 'cube', pose, visible: true, attached_to: null, state: { color: 'blue' } },
      },
    }),
    'runtime.cameras_capture': async (payload, { callerIdentity }) => {
      const { selector, options: picture, stream } = payload as MethodRequest<'runtime.cameras_capture'>;
      if (selector.id !== 'pov' && selector.id !== 'topdown')
        return guard(runtimeError('UNKNOWN_CAMERA', 'The cameras are pov and topdown.'));
      if (!stream) return guard(runtimeError('INVALID_INPUT', 'This runtime wants a stream.'));
      const { width, height } = picture;
      const bytes = pictureOf(width, height);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const byteLength = bytes.length;
      const writer = await room.localParticipant?.streamBytes({
        name: stream.id,
        topic: stream.topic,
        destinationIdentities: [callerIdentity],
        attributes: { request_id: stream.id, byte_length: String(byteLength), sha256 },
        totalSize: byteLength,
        mimeType: 'image/jpeg',
      });
      if (corrupt) bytes[30_000] = (bytes[30_000] ?? 0) ^ 1;
      await writer?.write(bytes);
      await writer?.close();
      const nowMs = Date.now();
      const intrinsics = { fx: 1, fy: 1, cx: 640, cy: 360 };
      return {
        status: 'done',
        result: {
          payload: { kind: 'byte_stream', stream_id: stream.id, topic: stream.topic, byte_length: byteLength },
          frame: { step: 120, sim_time_s: 1, width, height, intrinsics, camera_pose: pose },
        },
        meta: { action_id: stream.id, started_at_ms: nowMs, finished_at_ms: nowMs, duration_ms: 0 },
      };
    },
    'runtime.forward_envelope': () => guard(runtimeError('PERMISSION_DENIED', 'The simulator takes no envelopes.')),
  };

  async function enter(): Promise<void> {
    await room.connect(url, token, { autoSubscribe: false, dynacast: false });
    for (const [method, handler] of Object.entries(handlers)) {
      room.localParticipant?.registerRpcMethod(method, async (call) => {
        const parsed = parsePayload(call.payload);
        if (!parsed.ok) return JSON.stringify(guard(runtimeError('INVALID_INPUT', parsed.reason)));
        const request = isMethodName(method) ? METHOD_REQUESTS[method].safeParse(parsed.value) : parsed;
        if ('error' in request && request.error)
          return JSON.stringify(guard(runtimeError('INVALID_INPUT', request.error.issues[0]?.message ?? 'invalid')));
        const value = ('data' in request ? request.data : parsed.value) as Record<string, unknown>;
        const reply = JSON.stringify(await handler(value, call));
        // It represents a runtime, so it sends nothing that a runtime does not send.
        checkRpcReply(method, reply);
        const loses = lost.get(method) ?? 0;
        if (loses === 0) return reply;
        lost.set(method, loses - 1);
        return new Promise(() => {});
      });
    }
  }
  await enter();
  return {
    executions: () => started.size,
    loseReplies: (method, count) => void lost.set(method, count),
    corruptPictures: (value) => {
      corrupt = value;
    },
    rejoin: async () => {
      // First, because its return into the room would displace the new one: both have the same name.
      await leaveRoom(room);
      room = new Room();
      await enter();
    },
    leave: async () => void (await leaveRoom(room)),
  };
}

type Target = { kind: string; entity_id?: string } | undefined;

const isWalkToEntity = (name: string, { target }: Record<string, unknown>): boolean =>
  name === 'go_to' && (target as Target)?.kind === 'entity';

function unknownEntity({ target }: Record<string, unknown>): string | null {
  const id = (target as Target)?.entity_id;
  return id === undefined || /^(cube|pad)/.test(id) ? null : id;
}

/** Results of the shape that the contract has, made from the input. */
function resultOf(name: string, input: Record<string, unknown>): Record<string, unknown> {
  if (name === 'set_head') {
    const angles = { yaw: input.yaw ?? 0, pitch: input.pitch ?? 0 };
    return { target: angles, measured: angles };
  }
  if (name === 'go_to') return { pose, position_error_m: 0.01, yaw_error_deg: 0.5, path_m: 1, recoveries: 0 };
  return { ...input };
}
