import { type EnvelopeMethod, type SigningKey, sealEnvelope } from '../protocol/signed/signed-control.ts';

/** The right to sign commands in one session, and the key for it. */
export interface Credentials {
  /** A secret. */
  privateKey: SigningKey;
  grant: string;
  robotId: string;
  /** Name of the room. */
  session: string;
}

/** One command to be sealed. */
export interface EnvelopeOrder<Reply> {
  method: EnvelopeMethod;
  payload: Readonly<Record<string, unknown>>;
  /** How far the runtime's clock is ahead of this machine's, milliseconds. */
  aheadMs: number;
  /** Called when the command would be numbered; throws if it must not be sent. */
  check(): void;
  /** Sends the request of `runtime.forward_envelope`. */
  send(request: string): Promise<Reply>;
}

/** A command that was handed to the transport. */
export interface SentEnvelope<Reply> {
  reply: Promise<Reply>;
}

/**
 * Numbers and seals the commands of one key, one after the other, and hands them to the transport in the order of their numbers.
 * None waits for the reply to another.
 */
export class EnvelopeLine {
  readonly #credentials: () => Promise<Credentials | null>;
  readonly #epochMs: () => number;
  #sequence = 0;
  /** Settles when the last command was handed to the transport. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param credentials called for each command; null if nothing can be signed
   * @param epochMs milliseconds since the epoch
   */
  constructor(credentials: () => Promise<Credentials | null>, epochMs: () => number) {
    this.#credentials = credentials;
    this.#epochMs = epochMs;
  }

  /**
   * Seals a command, with another number each time, and sends it.
   * @returns null if nothing can be signed
   * @throws what the credentials, `check` and `send` throw; RangeError if the sealed command is too large for one call
   */
  put<Reply>(order: EnvelopeOrder<Reply>): Promise<SentEnvelope<Reply> | null> {
    const sent = this.#last.then(() => this.#seal(order));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  async #seal<Reply>({ method, payload, aheadMs, check, send }: EnvelopeOrder<Reply>): Promise<SentEnvelope<Reply> | null> {
    const credentials = await this.#credentials();
    if (credentials === null) return null;
    const { privateKey, ...granted } = credentials;
    check();
    this.#sequence += 1;
    const order = { call: { method, payload }, sequence: this.#sequence, nowMs: this.#epochMs() + aheadMs };
    const reply = send(await sealEnvelope({ ...granted, ...order }, privateKey));
    // The code that awaits the reply attaches its handler a moment later.
    reply.catch(() => undefined);
    return { reply };
  }
}
