import { type CommandKind, callKind, overtakes } from '../../../protocol/command-kinds.ts';
import type { MethodName } from '../../../protocol/methods.ts';
import {
  type ControlKey,
  type ControlKeyPair,
  createControlKeyPair,
  ENVELOPE_METHODS,
  type EnvelopeMethod,
  sealEnvelope,
} from '../../../protocol/signed-control.ts';
import type { OperatorGrant } from '../../../protocol/watch-exchange.ts';

/** A call in the form that the robot accepts, possibly wrapped in a signed envelope. */
export interface SealedCall {
  method: MethodName;
  payload: string;
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
   * Sends a command, sealed if possible, and returns its reply. A command that was rejected for the order or the time of its
   * envelope was not carried out. It is sealed again, unless it would undo a later command. If a newer pose or velocity overtakes
   * an older one in transit, the older one gets the newer one's reply, because the robot follows the newer.
   * @param send sends a call to the robot, and returns its reply as JSON
   */
  send(
    method: MethodName,
    payload: Readonly<Record<string, unknown>>,
    send: (call: SealedCall) => Promise<unknown>,
  ): Promise<unknown>;
}

const SEALED_AGAIN_MAX = 3;
/** Shortest time between two requests for a grant, so that a platform without one is not asked before each command. */
const FETCH_EVERY_MS = 2_000;
const SIGNED: readonly MethodName[] = ENVELOPE_METHODS;

export interface OperatorSignerDeps {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Asks the platform for a grant, if joining the room did not provide one. Null if the platform issues none. */
  fetchGrant(publicKey: ControlKey): Promise<OperatorGrant | null>;
}

export function createOperatorSigner({ nowMs, fetchGrant }: OperatorSignerDeps): OperatorSigner {
  const pair: Promise<ControlKeyPair | null> = createControlKeyPair().catch(() => null);
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let grant: OperatorGrant | null = null;
  let sequence = 0;
  let commands = 0;
  /** How far the robot's clock is ahead of this one, as a rejection reported it. */
  let aheadMs = 0;
  /** The newest command of each kind, and its reply. */
  const latest = new Map<CommandKind, { place: number; reply: Promise<unknown> }>();
  // Envelopes are sent one after the other, because an envelope overtaken by a later one is rejected as out of order.
  let line: Promise<unknown> = Promise.resolve();

  async function seal(method: MethodName, payload: Readonly<Record<string, unknown>>): Promise<SealedCall> {
    const keys = await pair;
    if (keys && !grant && nowMs() - fetchedAtMs >= FETCH_EVERY_MS) {
      fetchedAtMs = nowMs();
      grant = await fetchGrant(keys.publicKey);
    }
    if (!keys || !grant) return { method, payload: JSON.stringify(payload) };
    sequence += 1;
    const { grant: text, robot_id: robotId, session } = grant;
    const call = { method: method as EnvelopeMethod, payload };
    const order = { call, robotId, session, sequence, grant: text, nowMs: nowMs() + aheadMs };
    return { method: 'runtime.forward_envelope', payload: await sealEnvelope(order, keys.privateKey) };
  }

  /** Seals commands in order, and starts to send them in that order. */
  function sendInTurn(
    method: MethodName,
    payload: Readonly<Record<string, unknown>>,
    send: (call: SealedCall) => Promise<unknown>,
  ): Promise<unknown> {
    const sent = line.then(async () => {
      const reply = send(await seal(method, payload));
      // The code that awaits the reply attaches its handler a moment later.
      reply.catch(() => undefined);
      return { reply };
    });
    line = sent.catch(() => undefined);
    return sent.then(({ reply }) => reply);
  }

  /** Returns whether a rejection concerns the envelope only, so that another envelope may be accepted. */
  function mayPassAnew(reply: unknown): boolean {
    const { code, details } = (reply as { error?: { code?: string; details?: { now_ms?: unknown } } } | null)?.error ?? {};
    if (code === 'ENVELOPE_OUT_OF_ORDER') return true;
    if (code === 'GRANT_EXPIRED') {
      grant = null;
      return true;
    }
    if (code !== 'ENVELOPE_STALE' || typeof details?.now_ms !== 'number') return false;
    aheadMs = details.now_ms - nowMs();
    return true;
  }

  async function sendUntilTaken(place: number, kind: CommandKind, send: () => Promise<unknown>): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await send();
      if (!mayPassAnew(reply)) return reply;
      const next = latest.get(kind);
      // The robot already has the newer pose or velocity of this stream: the network has swapped the two. Its reply applies to
      // both.
      if (next && next.place > place && (kind === 'pose' || kind === 'drive')) return next.reply;
      const isOvertaken = [...latest].some(([later, { place: at }]) => at > place && overtakes(later, kind));
      if (isOvertaken || attempt > SEALED_AGAIN_MAX) return reply;
    }
  }

  return {
    publicKey: async () => (await pair)?.publicKey ?? null,
    adopt(next) {
      grant = next;
    },
    send(method, payload, send) {
      if (!SIGNED.includes(method)) return send({ method, payload: JSON.stringify(payload) });
      commands += 1;
      const kind = callKind(method, payload);
      const mine = commands;
      const reply = sendUntilTaken(mine, kind, () => sendInTurn(method, payload, send));
      latest.set(kind, { place: mine, reply });
      return reply;
    },
  };
}
