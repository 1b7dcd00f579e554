import { ENVELOPE_METHOD, type EnvelopeMethod } from '../protocol/signed/signed-claims.ts';
import { type CommandKind, callKind } from '../protocol/wire/command-kinds.ts';
import { CommandOrder } from './command-order.ts';
import { type Credentials, EnvelopeLine, type SentEnvelope } from './envelope-line.ts';
import { acceptsNoEnvelopes, judgeRefusal } from './judge-refusal.ts';
import { readRefusal } from './refusal.ts';

/** A command was not sent. */
export class UnsentError extends Error {
  readonly reason: 'late' | 'too_large';

  constructor(reason: 'late' | 'too_large', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A command of the body, as the transport sends it. */
export interface Command {
  /** The runtime's identity. */
  to: string;
  method: EnvelopeMethod;
  payload: Readonly<Record<string, unknown>>;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Sends one call to the runtime, and returns its reply, read as JSON. */
  send(method: string, payload: string, timeoutMs: number): Promise<unknown>;
}

/** The end of a command. */
export interface Commanded {
  reply: unknown;
  /** The runtime refused it, and it was not sent again because of a later command of the same caller. */
  isOvertaken: boolean;
}

export interface CommandSenderDeps {
  /** Whether the first command to this runtime is signed; later ones also if it has asked for signatures. */
  signs(to: string): boolean;
  /** Whether a command that was refused unsigned is signed. */
  signsWhenAsked: boolean;
  /** Returns the key and grant for the next envelope; null if nothing can be signed. */
  credentials(): Promise<Credentials | null>;
  /** The runtime reports that the grant has ended. */
  forgetGrant(): void;
  /** Milliseconds since the epoch. */
  epochMs(): number;
  /** Milliseconds of a monotonic clock. */
  monotonicMs(): number;
  /** @throws the signal's reason */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** A command with its place in the order of all commands. */
interface Placed extends Command {
  kind: CommandKind;
  place: number;
  /** By the monotonic clock. */
  deadlineMs: number;
}

/** A command that was refused would follow a later command that undoes it. */
class Overtaken extends Error {}

const PAUSE_MS = 100;

/**
 * Sends one caller's commands of the body, each signed if its runtime accepts only signed ones. A refused command was not carried
 * out. `judgeRefusal` decides whether it is sealed again, unless it would undo a later command.
 */
export class CommandSender {
  readonly #deps: CommandSenderDeps;
  readonly #line: EnvelopeLine;
  readonly #order = new CommandOrder();
  /** Runtimes that have asked for signatures. */
  readonly #asked = new Set<string>();
  /** How far the clock of each runtime is ahead of this machine's, as a refusal reported it, milliseconds. */
  readonly #aheadMs = new Map<string, number>();

  constructor(deps: CommandSenderDeps) {
    this.#deps = deps;
    this.#line = new EnvelopeLine(deps.credentials, deps.epochMs);
  }

  /** Returns whether commands to this runtime are signed from the first one on, as far as is known. */
  signs(to: string): boolean {
    return this.#asked.has(to) || this.#deps.signs(to);
  }

  /**
   * Sends a command, and returns its end.
   * @throws UnsentError if it was not sent; what the transport and the credentials throw
   */
  async send(command: Command): Promise<Commanded> {
    const { to, method, payload, timeoutMs } = command;
    const kind = callKind(method, payload);
    const placed = { ...command, kind, place: this.#order.next(), deadlineMs: this.#deps.monotonicMs() + timeoutMs };
    if (this.signs(to)) {
      const signed = await this.#sendSigned(placed);
      if (signed) return signed;
    }
    this.#check(placed);
    // An earlier command that is refused unsigned must not follow an unsigned stop.
    if (kind === 'stop') this.#order.note(kind, placed.place);
    const reply = await command.send(method, JSON.stringify(payload), this.#leftMs(placed));
    const plain = readRefusal(reply);
    if (!this.#deps.signsWhenAsked || plain?.code !== 'PERMISSION_DENIED') return { reply, isOvertaken: false };
    if (this.#isOvertaken(placed)) return { reply, isOvertaken: true };
    const signed = await this.#sendSigned(placed);
    const refused = signed && readRefusal(signed.reply);
    if (signed === null || (refused && acceptsNoEnvelopes(plain, refused))) return { reply, isOvertaken: false };
    this.#asked.add(to);
    return signed;
  }

  /** @returns null if nothing can be signed */
  async #sendSigned(command: Placed): Promise<Commanded | null> {
    const { sleep, forgetGrant, epochMs } = this.#deps;
    const { to, kind, signal } = command;
    let refused: Commanded | null = null;
    for (let refusals = 1; ; refusals += 1) {
      let sent: SentEnvelope<unknown> | null;
      try {
        sent = await this.#seal(command, refused !== null);
      } catch (error) {
        if (error instanceof Overtaken && refused !== null) return { ...refused, isOvertaken: true };
        throw error;
      }
      // Without credentials for another envelope, the refusal of the previous one stands.
      if (sent === null) return refused;
      const reply = await sent.reply;
      refused = { reply, isOvertaken: false };
      const refusal = readRefusal(reply);
      if (refusal === null) return refused;
      const { retry, runtimeNowMs, needsGrant } = judgeRefusal(refusal, { refusals, kind });
      if (runtimeNowMs !== null) this.#aheadMs.set(to, runtimeNowMs - epochMs());
      if (needsGrant) forgetGrant();
      if (retry === 'no') return refused;
      if (this.#isOvertaken(command)) return { reply, isOvertaken: true };
      if (retry === 'later') await sleep(Math.min(PAUSE_MS, this.#leftMs(command)), signal);
      if (!(this.#leftMs(command) > 0)) return refused;
    }
  }

  /** @param isAgain it was refused before. Then a stop may have taken its place in the line, also during a pause. */
  async #seal(command: Placed, isAgain: boolean): Promise<SentEnvelope<unknown> | null> {
    const { to, method, payload, send, kind, place } = command;
    // It has no number yet if it waits for a grant, but an earlier command must not follow it.
    this.#order.note(kind, place);
    const sealed = this.#line.put({
      method,
      payload,
      aheadMs: this.#aheadMs.get(to) ?? 0,
      check: () => {
        this.#check(command);
        if (isAgain && this.#isOvertaken(command)) throw new Overtaken();
      },
      send: (request) => send(ENVELOPE_METHOD, request, this.#leftMs(command)),
    });
    return sealed.catch((error: unknown) => {
      throw error instanceof RangeError ? new UnsentError('too_large', error.message) : error;
    });
  }

  /** @throws the signal's reason; UnsentError if the time is up */
  #check(command: Placed): void {
    command.signal?.throwIfAborted();
    if (this.#leftMs(command) > 0) return;
    throw new UnsentError('late', `${command.method} was not signed in time, and not sent.`);
  }

  #leftMs({ deadlineMs }: Placed): number {
    return Math.max(0, deadlineMs - this.#deps.monotonicMs());
  }

  #isOvertaken({ kind, place }: Placed): boolean {
    return this.#order.isOvertaken(kind, place);
  }
}
