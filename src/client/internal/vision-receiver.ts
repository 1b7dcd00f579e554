import { type CameraId, captureResultSchema } from '../../protocol/wire/captures.ts';
import { CAPTURE_TOPIC } from '../../protocol/wire/limits.ts';
import { RcwRuntimeError } from '../errors.ts';
import type { IncomingStream } from '../transport.ts';
import type { Vision, VisionOptions } from '../vision.ts';
import { readActionResult } from './read-result.ts';
import { type AskOptions, CallLostError, type RoomLink } from './room-link.ts';
import { STREAM_MAX_BYTES } from './transport/sdk-room.ts';
import { type Deferred, deferred, randomId, sleep, within } from './wait.ts';

/** Pause before the next request for a picture, if a call got lost or the cameras are still loading. */
const PAUSE_MS = 200;

interface Received {
  bytes: Uint8Array;
  attributes: Readonly<Record<string, string>>;
}

/** A picture that a caller waits for. */
interface Awaited {
  received: Deferred<Received>;
  /** Fires when the caller stops waiting. */
  over: AbortController;
  /** Whether its stream has begun; further streams are dropped. */
  hasBegun: boolean;
}

/** Receives the byte streams of captures, and assigns each by its request id. */
export class VisionReceiver {
  readonly #link: RoomLink;
  readonly #awaited = new Map<string, Awaited>();

  /** Removes the streams' handler; null while there is none. */
  #stopHearing: (() => void) | null = null;

  constructor(link: RoomLink) {
    this.#link = link;
  }

  /**
   * Asks for a picture and returns it once its bytes have arrived and are checked. Waits for cameras that are still loading.
   * @throws RcwRuntimeError when the capture fails, or the bytes differ from those that were sent (`CAPTURE_FAILED`);
   * TimeoutError
   */
  async capture(camera: CameraId | (string & {}), options: VisionOptions, ask: AskOptions): Promise<Vision> {
    const deadlineMs = performance.now() + ask.timeoutMs;
    for (;;) {
      try {
        return await this.#take(camera, options, ask, deadlineMs);
      } catch (error) {
        // A capture changes nothing, so another picture is taken. If the previous one was taken too, it is dropped.
        if (!(error instanceof CallLostError || isLoading(error)) || performance.now() + PAUSE_MS >= deadlineMs) throw error;
      }
      await sleep(PAUSE_MS, ask.signal);
    }
  }

  async #take(camera: CameraId | (string & {}), options: VisionOptions, ask: AskOptions, deadlineMs: number): Promise<Vision> {
    const id = randomId('capture');
    const leftMs = () => Math.max(1, deadlineMs - performance.now());
    const awaited: Awaited = { received: deferred(), over: new AbortController(), hasBegun: false };
    this.#awaited.set(id, awaited);
    // The handler is only set while a picture is awaited, because any participant may open any number of streams.
    this.#stopHearing ??= this.#link.onByteStream(CAPTURE_TOPIC, (stream) => void this.#receive(stream));
    try {
      const request = {
        selector: { kind: 'id', id: camera },
        options: withoutUndefined({ ...options, format: 'jpeg' }),
        stream: { id, topic: CAPTURE_TOPIC },
      };
      const ended = readActionResult(
        await this.#link.askOnce('runtime.cameras_capture', request, { ...ask, timeoutMs: leftMs() }),
      );
      if (ended.status === 'failed') throw new RcwRuntimeError(ended.error.code, ended.error.message, { ...ended.error.details });
      const result = captureResultSchema.safeParse(ended.result);
      if (!result.success) throw captureFailed('the reply does not describe the picture');
      const late = `The picture of ${camera} did not arrive within ${ask.timeoutMs / 1_000} s.`;
      const received = await within(awaited.received.promise, leftMs(), late, ask.signal);
      const { payload, frame, entities } = result.data;
      const verified = await verify(received, payload.byte_length);
      return { camera, jpeg: received.bytes, frame, ...(entities ? { entities } : {}), verified };
    } finally {
      this.#awaited.delete(id);
      awaited.over.abort();
      if (this.#awaited.size === 0) {
        this.#stopHearing?.();
        this.#stopHearing = null;
      }
    }
  }

  async #receive(stream: IncomingStream): Promise<void> {
    const awaited = this.#awaited.get(stream.attributes.request_id ?? stream.name);
    if (awaited === undefined || awaited.hasBegun || !this.#link.isRuntime(stream.from)) return stream.drop();
    awaited.hasBegun = true;
    const bytes = await stream.read(STREAM_MAX_BYTES, awaited.over.signal).catch(() => null);
    if (bytes === null) awaited.received.reject(captureFailed('its bytes broke off, or were far too many'));
    else awaited.received.resolve({ bytes, attributes: stream.attributes });
  }
}

/** Whether the cameras are still loading. In that case the refusal reports the progress. */
const isLoading = (error: unknown): boolean =>
  error instanceof RcwRuntimeError && error.code === 'NOT_READY' && error.details.progress !== undefined;

/** @throws RcwRuntimeError `CAPTURE_FAILED` */
async function verify({ bytes, attributes }: Received, announcedBytes: number): Promise<Vision['verified']> {
  for (const announced of [
    announcedBytes,
    attributes.byte_length === undefined ? announcedBytes : Number(attributes.byte_length),
  ]) {
    if (announced !== bytes.length) throw captureFailed(`${bytes.length} bytes came of ${announced}`);
  }
  if (!(bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff)) throw captureFailed('its bytes are not a JPEG');
  if (attributes.sha256 === undefined || globalThis.crypto?.subtle === undefined) return 'length';
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes)));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hex !== attributes.sha256.toLowerCase()) throw captureFailed('its bytes are not those that were sent (SHA-256 differs)');
  return 'sha256';
}

const captureFailed = (what: string): RcwRuntimeError =>
  new RcwRuntimeError('CAPTURE_FAILED', `The picture cannot be used: ${what}. Ask for it again.`, {
    stage: 'runtime',
    attempted: false,
    world_changed: 'no',
    retryable: true,
  });

const withoutUndefined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
