import { ROOM_KEY_MAX_TTL_S } from '../../protocol/limits.ts';
import { SERVICE_HOLDER } from '../../protocol/signed-claims.ts';
import { type ControlKeyPair, createControlKeyPair, type EnvelopeMethod, sealEnvelope } from '../../protocol/signed-control.ts';
import type { ControlAuthority } from '../control-authority.ts';
import { newId } from '../secrets.ts';

/** This instance's knowledge of a runtime since that joined its room. */
export interface KnownRuntime {
  readonly joinId: string;
  /** The form in which it takes commands of the body; null while that is unknown. */
  takes: 'plain' | 'signed' | null;
  /** Its clock against ours, milliseconds. */
  aheadMs: number;
}

/** One call to be sealed and sent. */
export interface SignedCall {
  /** @default 'runtime.tools_call' */
  method?: EnvelopeMethod;
  payload: Record<string, unknown>;
  aheadMs: number;
  /** Called when its turn has come; throws when it must not be sent. */
  check(): void;
  /** Sends the request of `runtime.forward_envelope`. */
  send(request: string): Promise<string>;
}

/** The service's own signed calls into one room: one key and one growing sequence for all commands there. */
export interface SignedLine {
  /** @param joinId a changed one means that the runtime joined anew: nothing is known of it */
  runtime(identity: string, joinId: string): KnownRuntime;
  /**
   * Seals a call, with another number each time, and sends it: calls are sent in the order of their numbers, and none waits for a reply
   * to another. @throws what `check` and `send` throw; RangeError when it is too large
   */
  call(call: SignedCall): Promise<string>;
  /** Drops the grant, which the runtime says has ended; the next call has another one. */
  forgetGrant(): void;
}

/** As long as a token may live; renewed in the last hour, so that it is valid also by a clock that is ahead of ours. */
const GRANT_LIFE_S = ROOM_KEY_MAX_TTL_S;
const RENEW_BEFORE_S = 3_600;
/** A dropped line begins again with another key. */
const LINES_KEPT = 4_096;

/** What a line needs of the service. */
interface Deps {
  readonly clock: { nowMs(): number };
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sfu: { readonly control: ControlAuthority };
  readonly memory: { readonly signedLines: Map<string, SignedLine> };
}

/** Returns the line into a room. Each instance has a key of its own for it, so instances need not agree on numbers; nor need one that starts again. */
export function signedLine(deps: Deps, robotId: string, session: string): SignedLine {
  const lines = deps.memory.signedLines;
  const line = lines.get(session) ?? createSignedLine(deps, robotId, session);
  // The one used last is at the end.
  lines.delete(session);
  lines.set(session, line);
  if (lines.size > LINES_KEPT) lines.delete(lines.keys().next().value ?? '');
  return line;
}

function createSignedLine(deps: Deps, robotId: string, session: string): SignedLine {
  const runtimes = new Map<string, KnownRuntime>();
  let keys: Promise<ControlKeyPair> | null = null;
  let grant: { text: string; endsAtS: number } | null = null;
  let sequence = 0;
  /** Settles when the last call was handed to the SFU. */
  let last: Promise<unknown> = Promise.resolve();

  async function currentGrant({ publicKey }: ControlKeyPair): Promise<string> {
    const issuedAtS = Math.floor(deps.clock.nowMs() / 1000);
    const leftS = grant === null ? 0 : grant.endsAtS - issuedAtS;
    // A life longer than the grant was given means that our clock was set back: to the runtime it may not have begun.
    if (grant !== null && leftS > RENEW_BEFORE_S && leftS <= GRANT_LIFE_S) return grant.text;
    const grantId = newId(deps.clock.nowMs(), deps.randomBytes);
    const expiresAtS = issuedAtS + GRANT_LIFE_S;
    const order = { grantId, holder: SERVICE_HOLDER, robotId, session, publicKey, issuedAtS, expiresAtS };
    grant = { text: await deps.sfu.control.issue(order), endsAtS: expiresAtS };
    return grant.text;
  }

  async function seal({ method = 'runtime.tools_call', payload, aheadMs }: SignedCall): Promise<string> {
    keys ??= createControlKeyPair().catch((error: unknown) => {
      keys = null;
      throw error;
    });
    const pair = await keys;
    const granted = await currentGrant(pair);
    sequence += 1;
    const call = { method, payload };
    const order = { call, robotId, session, sequence, grant: granted, nowMs: deps.clock.nowMs() + aheadMs };
    return sealEnvelope(order, pair.privateKey);
  }

  return {
    runtime(identity, joinId) {
      const known = runtimes.get(identity);
      if (known?.joinId === joinId) return known;
      const runtime: KnownRuntime = { joinId, takes: null, aheadMs: 0 };
      runtimes.set(identity, runtime);
      return runtime;
    },
    async call(call) {
      const handed = last.then(async () => {
        call.check();
        const request = await seal(call);
        const reply = call.send(request);
        // The code that waits for it attaches a moment later.
        reply.catch(() => undefined);
        return { reply };
      });
      last = handed.catch(() => undefined);
      return (await handed).reply;
    },
    forgetGrant() {
      grant = null;
    },
  };
}
