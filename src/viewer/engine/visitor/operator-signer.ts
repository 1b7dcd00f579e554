import type { OperatorGrant } from '../../../protocol/service/watch-exchange.ts';
import {
  type ControlKey,
  type ControlKeyPair,
  createControlKeyPair,
  ENVELOPE_METHODS,
  type EnvelopeMethod,
} from '../../../protocol/signed/signed-control.ts';
import { type CommandKind, callKind } from '../../../protocol/wire/command-kinds.ts';
import type { MethodName } from '../../../protocol/wire/methods.ts';
import { type Commanded, CommandSender } from '../../../remote-robot/command-sender.ts';
import type { Credentials } from '../../../remote-robot/envelope-line.ts';

/** A call in the form that the robot accepts, possibly wrapped in a signed envelope. */
export interface SealedCall {
  method: MethodName;
  payload: string;
}

/** A command of an operator's page. */
export interface OperatorCommand {
  to: string;
  method: MethodName;
  payload: Readonly<Record<string, unknown>>;
  timeoutMs: number;
  /** Sends a call to the robot, and returns its reply as JSON. */
  send(call: SealedCall): Promise<unknown>;
}

/**
 * Signs the commands of an operator's page with a key that is created for this page and cannot be extracted. The platform grants
 * it exactly the rights of the page's link.
 */
export interface OperatorSigner {
  /**
   * Returns the public half of the key, for which the platform is asked for a grant. Null if nothing can be signed (an insecure
   * page).
   */
  publicKey(): Promise<ControlKey | null>;
  /** Uses the grant of the current place; null for none. */
  adopt(grant: OperatorGrant | null): void;
  /**
   * Sends a command, sealed if possible, and returns its reply. If a newer pose or velocity overtakes an older one in transit, the
   * older one gets the newer one's reply, because the robot follows the newer.
   */
  send(command: OperatorCommand): Promise<unknown>;
}

/** A platform that issues no grant is not asked before each command. */
const ASK_AGAIN_AFTER_MS = 2_000;
const SIGNED: readonly MethodName[] = ENVELOPE_METHODS;

export interface OperatorSignerDeps {
  /** Milliseconds since the epoch. */
  epochMs(): number;
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  sleep(ms: number): Promise<void>;
  /** Asks the platform for a grant, if joining the room did not provide one. Null if the platform issues none. */
  fetchGrant(publicKey: ControlKey): Promise<OperatorGrant | null>;
}

export function createOperatorSigner({ epochMs, nowMs, sleep, fetchGrant }: OperatorSignerDeps): OperatorSigner {
  const pair: Promise<ControlKeyPair | null> = createControlKeyPair().catch(() => null);
  let askFromMs = Number.NEGATIVE_INFINITY;
  let grant: OperatorGrant | null = null;
  /** The newest command of each kind. */
  const newest = new Map<CommandKind, Promise<Commanded>>();
  const sender = new CommandSender({
    signs: () => true,
    signsWhenAsked: false,
    credentials,
    forgetGrant() {
      grant = null;
    },
    epochMs,
    monotonicMs: nowMs,
    sleep,
  });

  async function credentials(): Promise<Credentials | null> {
    const keys = await pair;
    if (keys && !grant && nowMs() >= askFromMs) {
      askFromMs = nowMs() + ASK_AGAIN_AFTER_MS;
      grant = await fetchGrant(keys.publicKey);
      // A grant that ends early is replaced at once, because a stop must not wait for it.
      if (grant) askFromMs = Number.NEGATIVE_INFINITY;
    }
    return keys && grant && { privateKey: keys.privateKey, grant: grant.grant, robotId: grant.robot_id, session: grant.session };
  }

  return {
    publicKey: async () => (await pair)?.publicKey ?? null,
    adopt(next) {
      grant = next;
    },
    async send({ send, ...command }) {
      const { method, payload } = command;
      if (!SIGNED.includes(method)) return send({ method, payload: JSON.stringify(payload) });
      const kind = callKind(method, payload);
      const sent = sender.send({
        ...command,
        method: method as EnvelopeMethod,
        send: (name, text) => send({ method: name as MethodName, payload: text }),
      });
      newest.set(kind, sent);
      const { reply, isOvertaken } = await sent;
      const newer = newest.get(kind);
      // The robot already has the newer pose or velocity of this stream. Its reply applies to both.
      const isFollowed = isOvertaken && newer !== undefined && newer !== sent && (kind === 'pose' || kind === 'drive');
      return isFollowed ? (await newer).reply : reply;
    },
  };
}
