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

/** A call as the robot takes it: around it may stand a signature. */
export interface SealedCall {
  method: MethodName;
  payload: string;
}

/**
 * Signs the commands of an operator's page with a key that was made for this page and cannot be read out. The platform grants it what the
 * page's link grants, and no more.
 */
export interface OperatorSigner {
  /** The public half, for which the platform is asked for a grant. Null where nothing can be signed (an insecure page). */
  publicKey(): Promise<ControlKey | null>;
  /** The grant of the current place; null for none. */
  adopt(grant: OperatorGrant | null): void;
  /**
   * Sends a command, sealed where it can be, and gives its reply. One that was refused for the order or the time of its envelope was not
   * carried out, and is sealed anew, unless a later command would be undone by it. A pose or a velocity that a newer one has overtaken
   * on the way gets the newer one's reply: the robot follows that.
   * @param send puts a call to the robot, and returns its reply as JSON
   */
  send(
    method: MethodName,
    payload: Readonly<Record<string, unknown>>,
    send: (call: SealedCall) => Promise<unknown>,
  ): Promise<unknown>;
}

const SEALED_AGAIN_MAX = 3;
/** A platform that gave no grant is not asked before each command. */
const FETCH_EVERY_MS = 2_000;
const SIGNED: readonly MethodName[] = ENVELOPE_METHODS;

export interface OperatorSignerDeps {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Asks the platform for a grant, where the way into the room has brought none. Null where it gives none. */
  fetchGrant(publicKey: ControlKey): Promise<OperatorGrant | null>;
}

export function createOperatorSigner({ nowMs, fetchGrant }: OperatorSignerDeps): OperatorSigner {
  const pair: Promise<ControlKeyPair | null> = createControlKeyPair().catch(() => null);
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let grant: OperatorGrant | null = null;
  let sequence = 0;
  let commands = 0;
  /** The clock of the robot against this one, as a refusal told it. */
  let aheadMs = 0;
  /** The newest command of each kind, and its answer. */
  const latest = new Map<CommandKind, { place: number; reply: Promise<unknown> }>();
  // One after the other, because an envelope overtaken by a later one is refused as out of order.
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

  /** Seals in turn, and begins to send in that order. */
  function sendInTurn(
    method: MethodName,
    payload: Readonly<Record<string, unknown>>,
    send: (call: SealedCall) => Promise<unknown>,
  ): Promise<unknown> {
    const sent = line.then(async () => {
      const reply = send(await seal(method, payload));
      // Whoever waits for it comes a moment later.
      reply.catch(() => undefined);
      return { reply };
    });
    line = sent.catch(() => undefined);
    return sent.then(({ reply }) => reply);
  }

  /** Whether a refusal is of the envelope, and another one may pass. */
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
      // The robot has the newer pose, or velocity, of this stream: the network has turned two round, and its answer stands for both.
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
