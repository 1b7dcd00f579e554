import type {
  CallFailureReason,
  IncomingPacket,
  IncomingStream,
  RoomListener,
  RoomTransport,
} from '../../../src/client/index.ts';
import { CallFailure } from '../../../src/client/internal/transport/call-failure.ts';

export interface FakeCall {
  to: string;
  method: string;
  payload: unknown;
  timeoutMs: number;
}
/** The fate of a call: a reply, no reply ever, or a failure. */
type Fate = { reply: unknown } | { text: string } | { failure: CallFailureReason } | 'silence' | Promise<unknown>;

/** A room in memory, whose runtime a test scripts call by call. */
export class FakeRoom implements RoomTransport {
  readonly calls: FakeCall[] = [];
  readonly streams = new Map<string, (stream: IncomingStream) => void>();
  present: string[] = ['simplesim:r1'];
  left = false;
  /** The arguments of the last join. */
  token: string | null = null;
  readonly #data = new Map<string, (packet: IncomingPacket) => void>();
  #listener: RoomListener | null = null;
  readonly #answer: (call: FakeCall, index: number) => Fate;

  constructor(answer: (call: FakeCall, index: number) => Fate) {
    this.#answer = answer;
  }

  async connect(_url: string, token: string, listener: RoomListener): Promise<void> {
    this.token = token;
    this.#listener = listener;
  }

  participants(): string[] {
    return [...this.present];
  }

  async call(request: { to: string; method: string; payload: string; timeoutMs: number }): Promise<string> {
    const call = { ...request, payload: JSON.parse(request.payload) as unknown };
    this.calls.push(call);
    if (!this.present.includes(request.to)) throw new CallFailure('absent', null);
    const fate = this.#answer(call, this.calls.length - 1);
    if (fate instanceof Promise) return JSON.stringify(await fate);
    if (fate === 'silence') return new Promise(() => {});
    if ('failure' in fate) throw new CallFailure(fate.failure, null);
    return 'text' in fate ? fate.text : JSON.stringify(fate.reply);
  }

  onByteStream(topic: string, handler: (stream: IncomingStream) => void): () => void {
    this.streams.set(topic, handler);
    return () => void this.streams.delete(topic);
  }

  onData(topic: string, handler: (packet: IncomingPacket) => void): void {
    this.#data.set(topic, handler);
  }

  /** Sends a packet from a participant in the room. */
  send(from: string, topic: string, text: string): void {
    this.#data.get(topic)?.({ from, bytes: new TextEncoder().encode(text) });
  }

  async disconnect(): Promise<void> {
    this.left = true;
  }

  join(identity: string): void {
    this.present.push(identity);
    this.#listener?.participantJoined(identity);
  }

  leave(identity: string): void {
    this.present = this.present.filter((one) => one !== identity);
    this.#listener?.participantLeft(identity);
  }

  close(reason: string): void {
    this.present = [];
    this.#listener?.disconnected(reason);
  }

  /** Calls of one method. */
  of(method: string): FakeCall[] {
    return this.calls.filter((call) => call.method === method);
  }
}

export const guardReply = (code: string, message = 'a sentence', details: Record<string, unknown> = {}) => ({
  status: 'failed',
  error: { code, message, details },
});

export const doneReply = (actionId: string, result: Record<string, unknown> = {}) => ({
  status: 'done',
  result,
  meta: { action_id: actionId, started_at_ms: 1_000, finished_at_ms: 1_500, duration_ms: 500 },
});

export const failedReply = (actionId: string, code: string) => ({
  status: 'failed',
  error: { code, message: 'a sentence', details: { stage: 'control', attempted: true, world_changed: 'yes', retryable: true } },
  meta: { action_id: actionId, started_at_ms: 1_000, finished_at_ms: 1_500, duration_ms: 500 },
});

/** The action id of a `runtime.tools_call`. */
export function actionIdOf(call: FakeCall): string {
  const { options } = call.payload as { options: { action_id: string } };
  return options.action_id;
}
