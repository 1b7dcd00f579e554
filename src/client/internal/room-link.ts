import { ENVELOPE_METHOD, ENVELOPE_METHODS, type EnvelopeMethod } from '../../protocol/signed/signed-claims.ts';
import { type CommandKind, callKind, commandKind } from '../../protocol/wire/command-kinds.ts';
import { isRuntimeIdentity, profileOfIdentity, runtimeName } from '../../protocol/wire/identity.ts';
import { createPoseChannel, POSES_TOPIC, type PoseChannel } from '../../protocol/wire/pose-packets.ts';
import { onlyReads } from '../../protocol/wire/profile.ts';
import { CommandOrder } from '../../remote-robot/command-order.ts';
import { PlatformSDKError, RcwRuntimeError, TimeoutError } from '../errors.ts';
import type { IncomingStream, RoomListener, RoomTransport } from '../transport.ts';
import { encodePayload, refusalOf } from './payload.ts';
import { throwIfGuard } from './read-result.ts';
import { readReply } from './reply.ts';
import { roomHint } from './settings.ts';
import type { ControlSigner } from './signing.ts';
import { CallFailure, callFailureOf } from './transport/call-failure.ts';
import { CommonEnd, type Deferred, deferred, sleep, within } from './wait.ts';

/** The events of a session's room. */
export interface RoomEvents {
  runtimeJoined?: ((identity: string) => void) | undefined;
  runtimeLeft?: ((identity: string) => void) | undefined;
  reconnecting?: (() => void) | undefined;
  reconnected?: (() => void) | undefined;
  disconnected?: ((reason: string) => void) | undefined;
}

export interface AskOptions {
  /** Longest wait for the reply, milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** A read is answered immediately. A reply that takes longer got lost, and the question is repeated. */
export const READ_REPLY_MS = 5_000;
/** Pause between two questions to a runtime that is loading or has just come back. */
const PAUSE_MS = 200;
/** If packets are unanswered for this long, the path does not deliver them. */
const PROBED_FOR_MS = 30_000;

/** A call that is sent only once brought no reply, possibly long before its timeout. */
export class CallLostError extends TimeoutError {}

/** A client's view of the room: finds the runtime and sends it calls. */
export class RoomLink {
  readonly #transport: RoomTransport;
  readonly #identityPrefix: string;
  readonly #events: RoomEvents;
  readonly #signer: ControlSigner | null;
  /** The end of the room. All calls end with it. */
  readonly #end = new CommonEnd();
  /** Callers that wait for a runtime to join. */
  readonly #arrivals = new Set<Deferred<void>>();
  #answering: string | null = null;
  /** Each candidate's last answer to whether it takes calls: the end of a sentence that begins with its name. */
  readonly #excuses = new Map<string, string>();
  /** The queues that send poses as packets, by the runtime that accepts them so. */
  readonly #poseChannels = new Map<string, PoseChannel>();
  #hearsAnswers = false;
  readonly #order = new CommandOrder();

  constructor(transport: RoomTransport, identityPrefix: string, events: RoomEvents = {}, signer: ControlSigner | null = null) {
    this.#signer = signer;
    this.#transport = transport;
    this.#identityPrefix = identityPrefix;
    this.#events = events;
  }

  async join(url: string, token: string, options: AskOptions): Promise<void> {
    const joined = this.#transport.connect(url, token, this.#listener());
    try {
      const late = `The room was not joined within ${options.timeoutMs / 1_000} s.${roomHint(url)}`;
      await within(joined, options.timeoutMs, late, options.signal);
    } catch (error) {
      // A join that was given up may still succeed, so the transport leaves in that case too.
      void this.#transport.disconnect();
      throw error;
    }
  }

  /** Leaves the room and rejects the calls that still wait. */
  async leave(): Promise<void> {
    this.#endWith('left');
    await this.#transport.disconnect();
  }

  /** The metadata of the room, as text; empty if there is none. */
  get metadata(): string {
    return this.#transport.metadata?.() ?? '';
  }

  /** Identity of the runtime in the room; null if there is none. */
  get runtime(): string | null {
    const candidates = this.#candidates();
    if (this.#answering !== null && candidates.includes(this.#answering)) return this.#answering;
    return candidates[0] ?? null;
  }

  /** Whether this identity is a runtime's, by its name. */
  isRuntime(identity: string): boolean {
    return isRuntimeIdentity(identity, this.#identityPrefix);
  }

  /** @returns a function that removes the handler */
  onByteStream(topic: string, handler: (stream: IncomingStream) => void): () => void {
    return this.#transport.onByteStream(topic, handler);
  }

  /**
   * Passes the handler the texts that a runtime sends to the whole room under this topic. All other packets of the topic are
   * dropped.
   */
  onData(topic: string, handler: (text: string) => void): void {
    this.#transport.onData?.(topic, ({ from, bytes }) => {
      if (this.isRuntime(from)) handler(new TextDecoder().decode(bytes));
    });
  }

  /** Settles when a participant with a runtime's name is in the room. */
  async #runtimePresent(signal?: AbortSignal): Promise<string> {
    for (;;) {
      signal?.throwIfAborted();
      this.#end.check();
      const identity = this.runtime;
      if (identity !== null) return identity;
      const arrival = deferred<void>();
      this.#arrivals.add(arrival);
      await this.#end.before(withSignal(arrival.promise, signal)).finally(() => this.#arrivals.delete(arrival));
    }
  }

  /**
   * Settles when a participant with a runtime's name is in the room. A wait that timed out leaves no state behind.
   * @throws TimeoutError with the message; the signal's reason
   */
  async runtimeWithin(
    timeoutMs: number,
    message: string,
    signal: AbortSignal | undefined,
    actionId: string | null = null,
  ): Promise<string> {
    const over = new AbortController();
    const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    return within(this.#runtimePresent(stop), timeoutMs, message, signal, actionId).finally(() => over.abort());
  }

  /**
   * Settles when a runtime is in the room and takes calls. The runtime is found by its name when it joins, and is then asked for
   * its skills until its answer is other than `NOT_READY`.
   * @returns its skills, as it lists them
   */
  async ready(signal?: AbortSignal): Promise<unknown[]> {
    for (;;) {
      await this.#runtimePresent(signal);
      for (const identity of this.#candidates()) {
        const skills = await this.#skillsOf(identity, signal);
        if (skills !== null) {
          this.#answering = identity;
          return skills;
        }
      }
      await sleep(PAUSE_MS, signal);
    }
  }

  /** Returns null while the runtime takes no calls. */
  async #skillsOf(identity: string, signal?: AbortSignal): Promise<unknown[] | null> {
    try {
      const reply = await this.callOnce(identity, 'runtime.tools_list', '{}', READ_REPLY_MS, signal);
      throwIfGuard(reply);
      if (Array.isArray(reply)) return reply;
      this.#excuses.set(identity, 'answers with something else than its skills.');
      return null;
    } catch (error) {
      const isLoading = error instanceof RcwRuntimeError && error.code === 'NOT_READY';
      if (!isLoading && !(error instanceof CallFailure)) throw error;
      this.#excuses.set(identity, isLoading ? `reports: ${error.runtimeMessage}` : 'does not answer.');
      return null;
    }
  }

  /** Returns what {@link ready} is waiting for, in a sentence. */
  whatIsAwaited(): string {
    const candidates = this.#candidates();
    if (candidates.length === 0) {
      const others = this.#transport.participants().sort();
      const there = others.length === 0 ? 'the room is empty' : `there are ${others.join(', ')}`;
      return `no participant named ${this.#identityPrefix} is in the room (${there}). ${remedyFor(others)}`;
    }
    const reported = candidates.map(
      (identity) => `${identity} is in the room and ${this.#excuses.get(identity) ?? 'does not answer.'}`,
    );
    return reported.join(' ');
  }

  /**
   * Asks a question that changes nothing, repeats it if the reply got lost, and returns the reply.
   * @throws RcwRuntimeError for a guard, and when no runtime is in the room; TimeoutError; the signal's reason
   */
  read(method: string, payload: unknown, options: AskOptions): Promise<unknown> {
    return this.#ask(method, payload, options, true);
  }

  /**
   * Does the same, but asks only once: for calls that may change something and have no id for repeating them. @throws
   * CallLostError
   */
  askOnce(method: string, payload: unknown, options: AskOptions): Promise<unknown> {
    return this.#ask(method, payload, options, false);
  }

  async #ask(method: string, payload: unknown, { timeoutMs, signal }: AskOptions, mayRepeat: boolean): Promise<unknown> {
    const text = encodePayload(payload);
    const deadlineMs = performance.now() + timeoutMs;
    const late = () => new TimeoutError(`${method} had no reply within ${timeoutMs / 1_000} s.`);
    let identity = this.requireRuntime();
    if (isBodyMethod(method)) this.countCommand(callKind(method, payload));
    for (;;) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) throw late();
      try {
        const sliceMs = mayRepeat ? Math.min(leftMs, READ_REPLY_MS) : leftMs;
        const reply = isBodyMethod(method)
          ? await this.command(identity, method, payload as Record<string, unknown>, sliceMs, signal)
          : await this.callOnce(identity, method, text, sliceMs, signal);
        throwIfGuard(reply);
        return reply;
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason !== 'lost' && error.reason !== 'absent') throw refusalOf(error, method);
        if (!mayRepeat) {
          const tookS = ((timeoutMs - (deadlineMs - performance.now())) / 1_000).toFixed(1);
          throw new CallLostError(
            `${method} had no reply: the call or its reply got lost after ${tookS} s of ${timeoutMs / 1_000} s. It is not sent again, because it may have been carried out; read the state.`,
          );
        }
      }
      await sleep(Math.min(PAUSE_MS, Math.max(0, deadlineMs - performance.now())), signal);
      identity = await this.runtimeWithin(Math.max(0, deadlineMs - performance.now()), late().message, signal);
    }
  }

  /** Counts a command of the body. @returns its place in the order of all commands */
  countCommand(kind: CommandKind): number {
    return this.#order.add(kind);
  }

  /**
   * Whether a command must not be sent again: it would undo a later command, and the runtime keeps each command until the next.
   * Runtimes with signed control do so. No command overtakes a stop.
   */
  isOvertaken(kind: CommandKind, place: number, to: string): boolean {
    return this.holds(to) && this.#order.isOvertaken(kind, place);
  }

  /** Whether the runtime keeps each command until the next, as far as is known. */
  holds(identity: string): boolean {
    return isRuntimeIdentity(identity, 'rcw') || this.#signer?.signs(identity) === true;
  }

  /** Number of commands that move the body so far. */
  get commandsMade(): number {
    return this.#order.count;
  }

  /** Whether a command other than a stop or a read was made after this place. */
  hasCommandedSince(place: number): boolean {
    return this.#order.hasMovedSince(place);
  }

  /**
   * Sends one command of the body, signed if the runtime accepts only signed ones. @throws as `callOnce`, and what the signer
   * throws
   */
  command(
    to: string,
    method: EnvelopeMethod,
    payload: Readonly<Record<string, unknown>>,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    if (this.#signer === null || onlyReads(String(payload.name)))
      return this.callOnce(to, method, encodePayload(payload), timeoutMs, signal);
    const channel = commandKind(payload.name, payload.input) === 'pose' ? this.#poseChannels.get(to) : undefined;
    const send = (name: string, text: string, leftMs: number) =>
      channel?.isOpen() && name === ENVELOPE_METHOD
        ? this.#end.before(channel.call(text, leftMs)).then((reply) => readReply(reply, name, to))
        : this.callOnce(to, name, text, leftMs, signal);
    return this.#signer.call({ to, method, payload, timeoutMs, signal, send });
  }

  /**
   * Chooses whether signed poses go to the runtime as packets, which a bad connection delays least, or as calls.
   * @param takesPackets asks the runtime
   */
  async choosePoseWay(takesPackets: () => Promise<boolean>): Promise<void> {
    const transport = this.#transport;
    const to = this.runtime;
    if (to === null || !transport.sendLossy || !transport.onData || this.#signer?.signs(to) !== true) return;
    // A robot of another make may report its state in a different form.
    const takesThem = await takesPackets().catch(() => false);
    if (!takesThem) return void this.#poseChannels.delete(to);
    const before = this.#poseChannels.get(to);
    if (before) return void this.#probe(to, before);
    const channel = createPoseChannel({
      send: (packet) => transport.sendLossy?.({ to, topic: POSES_TOPIC, bytes: new TextEncoder().encode(packet) }),
      after(ms, act) {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      },
      late: () => callFailureOf(new TimeoutError('No pose was answered.')),
    });
    if (!this.#hearsAnswers)
      transport.onData(POSES_TOPIC, ({ from, bytes }) => this.#poseChannels.get(from)?.take(new TextDecoder().decode(bytes)));
    this.#hearsAnswers = true;
    this.#poseChannels.set(to, channel);
    void this.#probe(to, channel);
  }

  /** Poses go as calls until a packet is answered, because the path for packets may open seconds after the join. */
  async #probe(to: string, channel: PoseChannel): Promise<void> {
    const untilMs = performance.now() + PROBED_FOR_MS;
    while (!channel.isOpen() && this.#poseChannels.get(to) === channel && !this.#end.hasCome && performance.now() < untilMs) {
      channel.probe();
      await sleep(PAUSE_MS);
    }
  }

  /** Makes one call and reads its reply as JSON. @throws CallFailure; PlatformSDKError when the room ends; the signal's reason */
  async callOnce(to: string, method: string, payload: string, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    this.#end.check();
    const called = this.#transport.call({ to, method, payload, timeoutMs });
    const slice = within(called, timeoutMs, 'no reply', signal).catch((error: unknown) => {
      throw error instanceof TimeoutError ? callFailureOf(error) : error;
    });
    return readReply(await this.#end.before(slice), method, to);
  }

  /** @throws RcwRuntimeError `NOT_READY` when no runtime is in the room; PlatformSDKError when the room is over */
  requireRuntime(): string {
    this.#end.check();
    const identity = this.runtime;
    if (identity !== null) return identity;
    throw new RcwRuntimeError(
      'NOT_READY',
      `No runtime is in the room (no participant named ${this.#identityPrefix}). Open the viewer, or start the robot's worker, and await waitUntilReady().`,
      { stage: 'readiness', attempted: false, world_changed: 'no', retryable: true, reason: 'no_runtime_in_room' },
    );
  }

  #candidates(): string[] {
    return this.#transport
      .participants()
      .filter((identity) => this.isRuntime(identity))
      .sort();
  }

  #listener(): RoomListener {
    const isRuntime = (identity: string) => this.isRuntime(identity);
    return {
      participantJoined: (identity) => {
        if (!isRuntime(identity)) return;
        for (const arrival of this.#arrivals) arrival.resolve();
        const channel = this.#poseChannels.get(identity);
        if (channel) void this.#probe(identity, channel);
        this.#events.runtimeJoined?.(identity);
      },
      participantLeft: (identity) => {
        this.#poseChannels.get(identity)?.close();
        if (isRuntime(identity)) this.#events.runtimeLeft?.(identity);
      },
      reconnecting: () => this.#events.reconnecting?.(),
      reconnected: () => this.#events.reconnected?.(),
      disconnected: (reason) => this.#endWith(reason),
    };
  }

  #endWith(reason: string): void {
    if (this.#end.hasCome) return;
    this.#end.come(overError(reason));
    this.#events.disconnected?.(reason);
  }
}

/** Returns what to do if the expected runtime is not among these participants. */
function remedyFor(others: readonly string[]): string {
  const [name] = others.flatMap((identity) => profileOfIdentity(identity) ?? []).map(runtimeName);
  if (name !== undefined)
    return `The robot there keeps the other contract: connect with rcwIdentityPrefix '${name}', or open another link.`;
  return "Open the robot's link in Chrome (the platform's command “link” prints one), or start its worker.";
}

/** Whether a method commands the body. Only such a method may be in an envelope. */
const isBodyMethod = (method: string): method is EnvelopeMethod => (ENVELOPE_METHODS as readonly string[]).includes(method);

const overError = (reason: string): PlatformSDKError =>
  new PlatformSDKError(
    reason === 'left'
      ? 'This session was left. Connect again to continue.'
      : `The room of this session has ended (${reason}). Connect again to continue.`,
  );

function withSignal<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
