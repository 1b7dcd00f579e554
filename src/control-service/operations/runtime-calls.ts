import { z } from 'zod';
import { ENVELOPE_METHOD } from '../../protocol/signed/signed-claims.ts';
import type { ActionResult, Guard } from '../../protocol/wire/action.ts';
import { contractOf } from '../../protocol/wire/contract.ts';
import { isRuntimeIdentity } from '../../protocol/wire/identity.ts';
import { isRuntimeProfile } from '../../protocol/wire/profile.ts';
import { acceptsNoEnvelopes } from '../../remote-robot/judge-refusal.ts';
import { type Refusal, readRefusal } from '../../remote-robot/refusal.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import { SfuError } from '../sfu-error.ts';
import type { CommandSlot } from './command-order.ts';
import type { RuntimeAddress } from './find-runtime.ts';
import { type KnownRuntime, signedLine } from './signed-line.ts';
import { ATTEMPT_MS, type Attempted, untilAnswered } from './until-answered.ts';

/** One call of a skill. */
export interface SkillCall {
  skill: string;
  input: Record<string, unknown>;
  actionId: string;
  deadlineS?: number | undefined;
  /** How long to wait for the reply. */
  waitS: number;
  /** Ends the retries when the caller stops waiting for the answer; the action itself continues. */
  signal?: AbortSignal | undefined;
}

type Answer = ActionResult | Guard;

const METHOD = 'runtime.tools_call';

const manifestSchema = z.looseObject({
  profile: z.string().optional(),
  error: z
    .looseObject({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});

/** The common fields of every runtime's answer; other fields are passed on. */
const replySchema = z
  .looseObject({ status: z.enum(['done', 'failed']), error: z.looseObject({ code: z.string(), message: z.string() }).optional() })
  .refine(({ status, error }) => (status === 'failed') === (error !== undefined));

/**
 * Calls a skill and returns how it ended. The same call is repeated until its reply comes; the action id lets the repeats join
 * the one action (promise P5). A call that the runtime rejects without a signature is sent in a signed envelope, and so are all
 * later calls from the start.
 * @throws as `untilAnswered`, and 409 or 504 if a later command overtook it
 */
export function callSkill(deps: ServiceDeps, address: RuntimeAddress, call: SkillCall, slot: CommandSlot): Promise<Answer> {
  const signed = signedLine(deps, address.robotId, address.room);
  const request = requestOf(call);
  let plainAnswer: Answer | null = null;
  let plainRefusal: Refusal | null = null;
  let mayHaveArrived = false;
  let refusals = 0;

  function check(holds: boolean): void {
    call.signal?.throwIfAborted();
    // A robot that keeps its velocity must not get a late one after a stop.
    if (!holds || !slot.isOvertaken()) return;
    throw mayHaveArrived ? ServiceError.overtakenInDoubt(call.actionId) : ServiceError.overtaken(call.actionId);
  }

  async function post(method: string, payload: string): Promise<string> {
    const { room, identity } = address;
    slot.noteUnderWay();
    try {
      return await deps.sfu.performRpc({ room, identity, method, payload, timeoutMs: ATTEMPT_MS, signal: call.signal });
    } catch (error) {
      if (error instanceof SfuError && IN_DOUBT.has(error.reason)) mayHaveArrived = true;
      throw error;
    }
  }

  /** Decides whether a rejected sealed call is sealed again, and how soon. None of it was carried out. */
  function judge(runtime: KnownRuntime, value: Answer): Attempted<Answer> {
    const refusal = readRefusal(value);
    if (refusal !== null && acceptsNoEnvelopes(plainRefusal, refusal)) {
      runtime.takes = null;
      // Its answer to the plain call is more informative.
      return { kind: 'answer', value: plainAnswer ?? value };
    }
    runtime.takes = 'signed';
    if (refusal === null) return { kind: 'answer', value };
    refusals += 1;
    return { kind: ATTEMPTED[signed.judge(runtime, refusal, { refusals, kind: slot.kind })], value };
  }

  async function plain(runtime: KnownRuntime): Promise<Attempted<Answer>> {
    // A runtime that accepts no plain call has not received one.
    if (runtime.takes === 'plain') slot.noteSent();
    const value = readReply(await post(METHOD, JSON.stringify(request)), call.actionId);
    // Calls are signed only on request, because robots of other makers have their own envelopes.
    const refusal = readRefusal(value);
    if (refusal?.code === 'PERMISSION_DENIED') {
      plainRefusal = refusal;
      plainAnswer = value;
      return { kind: 'again', value };
    }
    runtime.takes = 'plain';
    slot.noteSent();
    return { kind: 'answer', value };
  }

  async function sealed(runtime: KnownRuntime): Promise<Attempted<Answer>> {
    const sent = signed.call({
      payload: request,
      aheadMs: runtime.aheadMs,
      check: () => check(true),
      send(envelope) {
        slot.noteSent();
        return post(ENVELOPE_METHOD, envelope);
      },
    });
    const reply = await sent.catch((error: unknown) => {
      throw error instanceof RangeError ? ServiceError.tooLargeToSign(call.actionId) : error;
    });
    return judge(runtime, readReply(reply, call.actionId));
  }

  return untilAnswered(deps, address, call, async ({ identity, joinId }) => {
    const runtime = signed.runtime(identity, joinId);
    const isSigned = plainRefusal !== null || runtime.takes === 'signed';
    const holds = isSigned || !isRuntimeIdentity(identity);
    if (holds) await slot.comesUp();
    check(holds);
    let isRefusedPlain = false;
    try {
      const attempted = isSigned ? await sealed(runtime) : await plain(runtime);
      isRefusedPlain = !isSigned && attempted.kind === 'again';
      return attempted;
    } finally {
      if (!isRefusedPlain) slot.noteAnswered();
    }
  });
}

const ATTEMPTED = { now: 'again', later: 'again-later', no: 'answer' } as const;

/** The SFU's reasons after which the call may have been carried out. */
const IN_DOUBT = new Set<SfuError['reason']>(['rpc_no_reply', 'unreachable']);
/** The text of a call in transit. */
export const payloadOf = (call: SkillCall): string => JSON.stringify(requestOf(call));

function requestOf({ skill, input, actionId, deadlineS }: SkillCall): Record<string, unknown> {
  const options = { action_id: actionId, ...(deadlineS === undefined ? {} : { deadline_s: deadlineS }) };
  return { name: skill, input, options };
}

/**
 * Returns whether the runtime keeps a velocity until it is stopped. Its name decides, or its own declaration, because a tab may
 * follow either contract.
 * @throws as `untilAnswered`, and 409 with the answer of a runtime that does not declare it yet
 */
export async function holdsVelocity(
  deps: ServiceDeps,
  address: RuntimeAddress,
  call: Pick<SkillCall, 'actionId' | 'waitS' | 'signal'>,
): Promise<boolean> {
  const { room, identity } = address;
  if (!isRuntimeIdentity(identity)) return true;
  const ask = { room, identity, method: 'runtime.manifest', payload: '{}', timeoutMs: ATTEMPT_MS, signal: call.signal };
  const reply = await untilAnswered(deps, address, call, async () => ({
    kind: 'answer',
    value: await deps.sfu.performRpc(ask),
  }));
  const manifest = manifestSchema.safeParse(parseJson(reply));
  if (!manifest.success) return false;
  const { profile, error } = manifest.data;
  if (error && error.code !== 'METHOD_NOT_FOUND') throw ServiceError.saidByRuntime(error);
  return isRuntimeProfile(profile) && contractOf(profile).holdsVelocity;
}

/** Returns the reply unchanged: fields beyond the contract are passed on. */
function readReply(reply: string, actionId: string): Answer {
  const value = parseJson(reply);
  if (!replySchema.safeParse(value).success) {
    throw ServiceError.runtimeRefused('The runtime’s answer is not an action result.', actionId);
  }
  return value as Answer;
}

/** Reads a reply as JSON; null for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
