import { type CommandKind, callKind, overtakes } from '../../protocol/command-kinds.ts';
import type { ControlGrant } from '../../protocol/control-service.ts';
import { isRuntimeIdentity } from '../../protocol/identity.ts';
import { type ControlKey, ENVELOPE_METHOD, type EnvelopeMethod } from '../../protocol/signed-claims.ts';
import { type ControlKeyPair, createControlKeyPair, grantLifeS, sealEnvelope } from '../../protocol/signed-sealing.ts';
import { CROWDED } from '../../protocol/signed-texts.ts';
import type { SignControl } from '../connect-options.ts';
import { PlatformAPIError, PlatformSDKError, RcwRuntimeError, TimeoutError } from '../errors.ts';
import type { Logger } from '../options.ts';
import { encodePayload } from './payload.ts';
import { guardCode, guardDetails } from './read-result.ts';
import { sleep } from './wait.ts';

/** Sends one call to a runtime; @returns its reply, read as JSON */
type Send = (method: string, payload: string, timeoutMs: number) => Promise<unknown>;

/** A command of the body, as the room sends it. */
export interface BodyCall {
  to: string;
  method: EnvelopeMethod;
  payload: Readonly<Record<string, unknown>>;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  send: Send;
}

/** A command with its place in the order in which all commands were made. */
interface PlacedCall extends BodyCall {
  place: number;
  kind: CommandKind;
}

interface Grant extends ControlGrant {
  /** On the clock of `performance.now()`. */
  renewAtMs: number;
  endsAtMs: number;
}

/**
 * The share of a grant's lifetime after which another one is fetched. The old grant is still valid then, so no stream of packets
 * waits.
 */
const RENEW_AFTER = 0.8;
const RETRY_RENEWAL_MS = 5_000;
/** A grant is not used in its last moments, because the envelope must arrive before it expires. */
const END_MARGIN_MS = 3_000;

/** How often a call that was rejected without effect is sealed again without a pause. */
const AT_ONCE_MAX = 3;
const PAUSE_MS = 100;

/**
 * Signs a session's commands of the body. It keeps the key pair, which never leaves it, fetches grants, and numbers the
 * envelopes. Envelopes are sealed one after the other and sent in the order of their numbers; none waits for the reply to
 * another.
 */
export class ControlSigner {
  readonly #mode: SignControl;
  readonly #fetchGrant: (publicKey: ControlKey) => Promise<ControlGrant>;
  readonly #logger: Logger;
  /** Runtimes that have reported that they accept only signed commands. */
  readonly #signing = new Set<string>();
  /** The service is older than signed control, so nothing can be signed. */
  #isUnavailable = false;
  #keys: Promise<ControlKeyPair> | null = null;
  #grant: Grant | null = null;
  #renewal: Promise<Grant> | null = null;
  #sequence = 0;
  /** Number of commands so far. */
  #places = 0;
  /** The place of the latest queued command of each kind. */
  readonly #latest = new Map<CommandKind, number>();
  /** How far the runtime's clock is ahead of this machine's, as a refusal reported it, milliseconds. */
  #aheadMs = 0;
  /** Settles when the last call has been sealed and handed to the room. */
  #line: Promise<unknown> = Promise.resolve();

  constructor(mode: SignControl, fetchGrant: (publicKey: ControlKey) => Promise<ControlGrant>, logger: Logger) {
    this.#mode = mode;
    this.#fetchGrant = fetchGrant;
    this.#logger = logger;
  }

  /**
   * Sends a command, signed if necessary, and returns its reply.
   * @throws what the room throws; PlatformAPIError when the service issues no grant
   */
  async call(body: BodyCall): Promise<unknown> {
    const text = encodePayload(body.payload);
    this.#places += 1;
    const call = { ...body, place: this.#places, kind: callKind(body.method, body.payload) };
    if (this.signs(call.to)) {
      const signed = await this.#sign(call);
      if (signed) return signed.reply;
    }
    const startedMs = performance.now();
    const reply = await call.send(call.method, text, call.timeoutMs);
    if (this.#mode !== 'auto' || guardCode(reply) !== 'PERMISSION_DENIED') return reply;
    // The command was rejected before it had any effect, so it may be sent again. It must not follow a later command that undoes
    // it.
    if (this.#isOvertaken(call)) return reply;
    const leftMs = call.timeoutMs - (performance.now() - startedMs);
    const signed = await this.#sign({ ...call, timeoutMs: leftMs });
    if (signed === null || takesNoEnvelopes(reply, signed.reply)) return reply;
    this.#signing.add(call.to);
    return signed.reply;
  }

  /** Whether commands to this runtime are signed from the first one on, as far as is known. */
  signs(identity: string): boolean {
    return this.#mode === true || (this.#mode === 'auto' && this.#isRcw(identity));
  }

  #isRcw(identity: string): boolean {
    return !this.#isUnavailable && (this.#signing.has(identity) || isRuntimeIdentity(identity, 'rcw'));
  }

  /** @returns null if nothing can be signed here */
  async #sign(call: PlacedCall): Promise<{ reply: unknown } | null> {
    const deadlineMs = performance.now() + call.timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      const sent = await this.#sealInTurn(call, deadlineMs);
      if (sent === null) return null;
      const reply = await sent.reply;
      // A call with such a refusal was not carried out. It is sealed again unless it would undo a later command, signed or
      // unsigned.
      const again = this.#judge(reply, call.kind, attempt);
      if (again === 'no' || this.#isOvertaken(call)) return { reply };
      if (again === 'later') await sleep(Math.min(PAUSE_MS, Math.max(0, deadlineMs - performance.now())), call.signal);
      if (performance.now() >= deadlineMs) return { reply };
    }
  }

  /** Whether a call with this reply must be sealed again. */
  #judge(reply: unknown, kind: CommandKind, attempt: number): 'no' | 'at-once' | 'later' {
    const again = attempt <= AT_ONCE_MAX ? 'at-once' : 'later';
    const code = guardCode(reply);
    // Calls that are under way at the same time arrive in any order.
    if (code === 'ENVELOPE_OUT_OF_ORDER') return again;
    if (code === 'NOT_READY') return kind === 'stop' && guardDetails(reply).reason === CROWDED ? 'later' : 'no';
    if (!this.#learnFrom(reply)) return 'no';
    return attempt === 1 || kind === 'stop' ? again : 'no';
  }

  #isOvertaken({ kind, place }: PlacedCall): boolean {
    return [...this.#latest].some(([later, laterPlace]) => laterPlace > place && overtakes(later, kind));
  }

  #sealInTurn(call: PlacedCall, deadlineMs: number): Promise<{ reply: Promise<unknown> } | null> {
    this.#latest.set(call.kind, Math.max(this.#latest.get(call.kind) ?? 0, call.place));
    const sealed = this.#line.then(() => this.#seal(call, deadlineMs));
    this.#line = sealed.catch(() => undefined);
    return sealed;
  }

  async #seal({ method, payload, signal, send }: BodyCall, deadlineMs: number) {
    const grant = await this.#currentGrant();
    if (grant === null) return null;
    const { privateKey } = await this.#keyPair();
    // If the caller gave up while the grant was fetched, the command must not be sent.
    signal?.throwIfAborted();
    if (performance.now() >= deadlineMs) throw new TimeoutError(`${method} was not signed in time, and not sent.`);
    this.#sequence += 1;
    const sequence = this.#sequence;
    const order = { call: { method, payload }, robotId: grant.robot_id, session: grant.session, sequence, grant: grant.grant };
    const request = await sealEnvelope({ ...order, nowMs: Date.now() + this.#aheadMs }, privateKey).catch((error: unknown) => {
      throw error instanceof RangeError ? new RcwRuntimeError('PAYLOAD_TOO_LARGE', `${error.message} Send less.`, UNSENT) : error;
    });
    const reply = send(ENVELOPE_METHOD, request, deadlineMs - performance.now());
    // The code that awaits the reply starts a moment later.
    reply.catch(() => undefined);
    return { reply };
  }

  /** Takes the corrections for the next envelope from a refusal. @returns whether the refusal contained any */
  #learnFrom(reply: unknown): boolean {
    const code = guardCode(reply);
    if (code === 'GRANT_EXPIRED') {
      this.#grant = null;
      return true;
    }
    const nowMs = code === 'ENVELOPE_STALE' ? guardDetails(reply).now_ms : null;
    if (typeof nowMs !== 'number') return false;
    this.#aheadMs = nowMs - Date.now();
    return true;
  }

  async #currentGrant(): Promise<Grant | null> {
    const nowMs = performance.now();
    if (this.#grant && nowMs < this.#grant.endsAtMs) {
      if (nowMs >= this.#grant.renewAtMs) this.#renewQuietly(this.#grant);
      return this.#grant;
    }
    if (this.#isUnavailable) return null;
    try {
      return await this.#renew();
    } catch (error) {
      if (this.#mode !== 'auto' || !isOlderService(error)) throw error;
      this.#isUnavailable = true;
      return null;
    }
  }

  #renewQuietly(grant: Grant): void {
    if (this.#renewal !== null) return;
    grant.renewAtMs = performance.now() + RETRY_RENEWAL_MS;
    this.#renew().catch((error: unknown) => {
      const reason = error instanceof PlatformAPIError ? error.code : error instanceof Error ? error.name : 'unknown';
      this.#logger.warn(`the grant of signed control could not be renewed (${reason}); it is tried again`);
    });
  }

  #renew(): Promise<Grant> {
    this.#renewal ??= this.#fetch().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #fetch(): Promise<Grant> {
    const { publicKey } = await this.#keyPair();
    const askedMs = performance.now();
    const granted = await this.#fetchGrant(publicKey);
    const lifeMs = grantLifeS(granted.grant) * 1_000;
    const grant = { ...granted, renewAtMs: askedMs + lifeMs * RENEW_AFTER, endsAtMs: askedMs + lifeMs - END_MARGIN_MS };
    this.#grant = grant;
    return grant;
  }

  #keyPair(): Promise<ControlKeyPair> {
    this.#keys ??= createControlKeyPair().catch((cause: unknown) => {
      this.#keys = null;
      throw new PlatformSDKError(
        'Commands of this robot must be signed, and nothing can be signed here: the page is not served over https, or the browser knows no Ed25519. Serve it over https, or from localhost, to Chrome 137 or newer.',
        { cause },
      );
    });
    return this.#keys;
  }
}

const UNSENT = { stage: 'input', attempted: false, world_changed: 'no', retryable: false };

/**
 * Whether a runtime rejected the call for its content, and not for the missing signature: it does not accept envelopes and has
 * not asked for them. Its next commands are sent unsigned again.
 */
function takesNoEnvelopes(plain: unknown, sealed: unknown): boolean {
  const code = guardCode(sealed);
  return code === 'METHOD_NOT_FOUND' || (code === 'PERMISSION_DENIED' && guardDetails(plain).signed_control !== true);
}

/** Whether the service lacks this address. Missing robots and sessions have codes of their own. */
const isOlderService = (error: unknown): boolean =>
  error instanceof PlatformAPIError && error.statusCode === 404 && error.code !== 'robot.not_found';
