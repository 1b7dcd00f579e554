import type { ControlGrant } from '../../protocol/service/control-service.ts';
import type { ControlKey } from '../../protocol/signed/signed-claims.ts';
import { type ControlKeyPair, createControlKeyPair, grantLifeS } from '../../protocol/signed/signed-sealing.ts';
import { isRuntimeIdentity } from '../../protocol/wire/identity.ts';
import { type Command, CommandSender, UnsentError } from '../../remote-robot/command-sender.ts';
import type { Credentials } from '../../remote-robot/envelope-line.ts';
import type { SignControl } from '../connect-options.ts';
import { PlatformAPIError, PlatformSDKError, RcwRuntimeError, TimeoutError } from '../errors.ts';
import type { Logger } from '../options.ts';
import { encodePayload } from './payload.ts';
import { sleep } from './wait.ts';

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

/** Signs a session's commands of the body. It keeps the key pair, which never leaves it, and fetches grants. */
export class ControlSigner {
  readonly #mode: SignControl;
  readonly #fetchGrant: (publicKey: ControlKey) => Promise<ControlGrant>;
  readonly #logger: Logger;
  readonly #sender: CommandSender;
  /** The service is older than signed control, so nothing can be signed. */
  #isUnavailable = false;
  #keys: Promise<ControlKeyPair> | null = null;
  #grant: Grant | null = null;
  #renewal: Promise<Grant> | null = null;

  constructor(mode: SignControl, fetchGrant: (publicKey: ControlKey) => Promise<ControlGrant>, logger: Logger) {
    this.#mode = mode;
    this.#fetchGrant = fetchGrant;
    this.#logger = logger;
    this.#sender = new CommandSender({
      signs: (to) => mode === true || (mode === 'auto' && !this.#isUnavailable && isRuntimeIdentity(to, 'rcw')),
      signsWhenAsked: mode === 'auto',
      credentials: () => this.#credentials(),
      forgetGrant: () => {
        this.#grant = null;
      },
      epochMs: Date.now,
      monotonicMs: () => performance.now(),
      sleep,
    });
  }

  /**
   * Sends a command, signed if necessary, and returns its reply.
   * @throws what the room throws; PlatformAPIError when the service issues no grant
   */
  async call(command: Command): Promise<unknown> {
    // Throws for a payload that JSON cannot carry.
    encodePayload(command.payload);
    try {
      return (await this.#sender.send(command)).reply;
    } catch (error) {
      throw error instanceof UnsentError ? errorOf(error) : error;
    }
  }

  /** Whether commands to this runtime are signed from the first one on, as far as is known. */
  signs(identity: string): boolean {
    return this.#sender.signs(identity);
  }

  async #credentials(): Promise<Credentials | null> {
    const grant = await this.#currentGrant();
    if (grant === null) return null;
    const { privateKey } = await this.#keyPair();
    return { privateKey, grant: grant.grant, robotId: grant.robot_id, session: grant.session };
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

const errorOf = ({ reason, message }: UnsentError): Error =>
  reason === 'late' ? new TimeoutError(message) : new RcwRuntimeError('PAYLOAD_TOO_LARGE', `${message} Send less.`, UNSENT);

/** Whether the service lacks this address. Missing robots and sessions have codes of their own. */
const isOlderService = (error: unknown): boolean =>
  error instanceof PlatformAPIError && error.statusCode === 404 && error.code !== 'robot.not_found';
