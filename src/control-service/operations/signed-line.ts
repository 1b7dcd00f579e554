import { SERVICE_HOLDER } from '../../protocol/signed/signed-claims.ts';
import { type ControlKeyPair, createControlKeyPair, type EnvelopeMethod } from '../../protocol/signed/signed-control.ts';
import type { CommandKind } from '../../protocol/wire/command-kinds.ts';
import { ROOM_KEY_MAX_TTL_S } from '../../protocol/wire/limits.ts';
import { type Credentials, EnvelopeLine } from '../../remote-robot/envelope-line.ts';
import { judgeRefusal, type RefusalVerdict } from '../../remote-robot/judge-refusal.ts';
import type { Refusal } from '../../remote-robot/refusal.ts';
import type { ControlAuthority } from '../control-authority.ts';
import { newId } from '../secrets.ts';

/** The knowledge of this instance about a runtime since the runtime joined its room. */
export interface KnownRuntime {
  readonly joinId: string;
  /** The form of the body in which it accepts commands; null while that is unknown. */
  takes: 'plain' | 'signed' | null;
  /** The difference between its clock and this one's, in milliseconds. */
  aheadMs: number;
}

/** One call to be sealed and sent. */
export interface SignedCall {
  /** @default 'runtime.tools_call' */
  method?: EnvelopeMethod;
  payload: Record<string, unknown>;
  aheadMs: number;
  /** Called when its turn has come; throws if it must not be sent. */
  check(): void;
  /** Sends the request of `runtime.forward_envelope`. */
  send(request: string): Promise<string>;
}

/** The service's own signed calls into one room, with one key and one increasing sequence for all commands there. */
export interface SignedLine {
  /** @param joinId a changed id means that the runtime has joined again, so nothing is known about it */
  runtime(identity: string, joinId: string): KnownRuntime;
  /**
   * Seals a call, with another number each time, and sends it. Calls are sent in the order of their numbers, and do not wait for
   * replies to others.
   * @throws what `check` and `send` throw; RangeError if it is too large
   */
  call(call: SignedCall): Promise<string>;
  /** Decides whether to seal a refused call again, and takes the corrections for the next envelope from the refusal. */
  judge(
    runtime: KnownRuntime,
    refusal: Pick<Refusal, 'code' | 'details'>,
    how: { refusals: number; kind: CommandKind },
  ): RefusalVerdict['retry'];
}

/** As long as a token may live. It is renewed in the last hour, so that it is also valid by a clock that runs fast. */
const GRANT_LIFE_S = ROOM_KEY_MAX_TTL_S;
const RENEW_BEFORE_S = 3_600;
/** After it was dropped, a sequence begins again with another key. */
const LINES_KEPT = 4_096;

/** The parts of the service that a sequence of signed calls needs. */
interface Deps {
  readonly clock: { nowMs(): number };
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sfu: { readonly control: ControlAuthority };
  readonly memory: { readonly signedLines: Map<string, SignedLine> };
}

/**
 * Returns the signed calls into a room. Each instance has its own key for them, so instances need not agree on numbers, and a
 * restarted instance can begin again.
 */
export function signedLine(deps: Deps, robotId: string, session: string): SignedLine {
  const lines = deps.memory.signedLines;
  const line = lines.get(session) ?? createSignedLine(deps, robotId, session);
  // The most recently used one is at the end.
  lines.delete(session);
  lines.set(session, line);
  if (lines.size > LINES_KEPT) lines.delete(lines.keys().next().value ?? '');
  return line;
}

function createSignedLine(deps: Deps, robotId: string, session: string): SignedLine {
  const runtimes = new Map<string, KnownRuntime>();
  let keys: Promise<ControlKeyPair> | null = null;
  let grant: { text: string; endsAtS: number } | null = null;
  const line = new EnvelopeLine(credentials, deps.clock.nowMs);

  async function currentGrant({ publicKey }: ControlKeyPair): Promise<string> {
    const issuedAtS = Math.floor(deps.clock.nowMs() / 1000);
    const leftS = grant === null ? 0 : grant.endsAtS - issuedAtS;
    // A remaining life longer than the grant's means that this clock was set back: for the runtime, the grant may not have begun.
    if (grant !== null && leftS > RENEW_BEFORE_S && leftS <= GRANT_LIFE_S) return grant.text;
    const grantId = newId(deps.clock.nowMs(), deps.randomBytes);
    const expiresAtS = issuedAtS + GRANT_LIFE_S;
    const order = { grantId, holder: SERVICE_HOLDER, robotId, session, publicKey, issuedAtS, expiresAtS };
    grant = { text: await deps.sfu.control.issue(order), endsAtS: expiresAtS };
    return grant.text;
  }

  async function credentials(): Promise<Credentials> {
    keys ??= createControlKeyPair().catch((error: unknown) => {
      keys = null;
      throw error;
    });
    const pair = await keys;
    return { privateKey: pair.privateKey, grant: await currentGrant(pair), robotId, session };
  }

  return {
    runtime(identity, joinId) {
      const known = runtimes.get(identity);
      if (known?.joinId === joinId) return known;
      const runtime: KnownRuntime = { joinId, takes: null, aheadMs: 0 };
      runtimes.set(identity, runtime);
      return runtime;
    },
    async call({ method = 'runtime.tools_call', ...call }) {
      const sent = await line.put({ ...call, method });
      if (sent === null) throw new Error('The service has no credentials.');
      return sent.reply;
    },
    judge(runtime, refusal, how) {
      const verdict = judgeRefusal(refusal, how);
      if (verdict.runtimeNowMs !== null) runtime.aheadMs = verdict.runtimeNowMs - deps.clock.nowMs();
      if (verdict.needsGrant) grant = null;
      return verdict.retry;
    },
  };
}
