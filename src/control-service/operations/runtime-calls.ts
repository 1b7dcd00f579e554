import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ActionResult, Guard } from '../../protocol/action.ts';
import { isRuntimeIdentity } from '../../protocol/identity.ts';
import { ENVELOPE_METHOD } from '../../protocol/signed-claims.ts';
import type { Caller } from '../accounts.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import { SfuError } from '../sfu-error.ts';
import { isAnyRuntime } from '../tokens.ts';
import { inOrder } from './command-order.ts';
import { findSession, getRobot } from './lookup.ts';
import { createSealer, type Sealer } from './signed-line.ts';

/** The way to a runtime: the same participant for every call of a command. */
export interface RuntimeLine {
  robotId: string;
  room: string;
  identity: string;
  /** Seals the calls once the runtime has said that it takes no others. */
  sealer: Sealer | null;
}

/** One call of a skill. */
export interface SkillCall {
  skill: string;
  input: Record<string, unknown>;
  actionId: string;
  deadlineS?: number | undefined;
  /** How long the reply is waited for. */
  waitS: number;
  /** Ends the asking when nobody waits for the answer any more; the action itself goes on. */
  signal?: AbortSignal | undefined;
  /** Whether it must not be sent any more, for a later command was made. */
  isOvertaken?: (() => boolean) | undefined;
}

/** One attempt is shorter than the 3 s after which LiveKit repeats a call by itself. */
const ATTEMPT_MS = 2_500;
const PAUSE_MS = 100;
/** A runtime, or an SFU, that went away is back by then, or will not come: a cluster needs some 15 s to replace a node that died. */
const BACK_WITHIN_MS = 20_000;
const METHOD = 'runtime.tools_call';

const manifestSchema = z.looseObject({
  profile: z.string().optional(),
  error: z
    .looseObject({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});

/** What every runtime answers, with whatever else it has to say. */
const replySchema = z
  .looseObject({ status: z.enum(['done', 'failed']), error: z.looseObject({ code: z.string(), message: z.string() }).optional() })
  .refine(({ status, error }) => (status === 'failed') === (error !== undefined));

/**
 * Finds the runtime in the room of the caller's robot. An SFU that is away is waited for, as during the command itself.
 * @throws 404, 409 without a session, without a runtime, or with several that could be meant, 503 when the SFU stays away
 */
export async function findRuntime(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  signal?: AbortSignal,
): Promise<RuntimeLine> {
  const robot = await getRobot(deps.db, caller, robotId);
  const session = await findSession(deps.db, robotId);
  if (!session) throw ServiceError.noSession();
  const present = (await listPatiently(deps, session.roomName, signal)).filter(isAnyRuntime).sort();
  const own = [`simplesim:${robotId}`, `rcw-${robotId}`];
  // A tab may stand in for a physical robot, but not before it.
  if (robot.type === 'physical') own.reverse();
  const identity = own.find((wanted) => present.includes(wanted)) ?? present[0];
  if (identity === undefined) throw ServiceError.runtimeAbsent();
  if (present.length > 1 && !own.includes(identity)) throw ServiceError.runtimeAmbiguous(present);
  return { robotId, room: session.roomName, identity, sealer: null };
}

async function listPatiently(deps: ServiceDeps, room: string, signal?: AbortSignal): Promise<string[]> {
  const startedMs = deps.clock.nowMs();
  for (;;) {
    try {
      return await deps.sfu.listIdentities(room);
    } catch (error) {
      if (!(error instanceof SfuError)) throw error;
      if (deps.clock.nowMs() - startedMs > BACK_WITHIN_MS) throw ServiceError.sfuUnavailable();
    }
    await sleep(PAUSE_MS, undefined, signal ? { signal } : {});
  }
}

/**
 * Calls a skill and answers how it ended. LiveKit waits a few seconds for a reply at most, and an action may take longer: so the same
 * call is made until its reply comes, and the action id makes the repeats join the one action (promise P5).
 * @throws 409 when the runtime is gone, 502 for what is no answer, 503 when the SFU is, 504 when the time is over; each names the action
 */
export function callSkill(deps: ServiceDeps, line: RuntimeLine, call: SkillCall): Promise<ActionResult | Guard> {
  // A read undoes nothing.
  if (call.skill === 'get_state') return callOnLine(deps, line, call);
  return inOrder(deps, line.robotId, (isLate) => {
    // A worker holds its velocity: one that got lost must not be sent again behind a stop.
    const isOvertaken = () => isLate() && (line.sealer !== null || !isRuntimeIdentity(line.identity));
    return callOnLine(deps, line, { ...call, isOvertaken });
  });
}

async function callOnLine(deps: ServiceDeps, line: RuntimeLine, call: SkillCall): Promise<ActionResult | Guard> {
  if (line.sealer === null) {
    const text = payloadOf(call);
    const result = readReply(await callUntilAnswered(deps, line, async () => [METHOD, text], call), call.actionId);
    if (!refusesUnsigned(result)) return result;
    // Not before it is asked for: workers of other makers have envelopes of their own, and a call that was refused moved nothing.
    line.sealer = await createSealer(deps, line.robotId, line.room);
    const signed = await callSigned(deps, line, line.sealer, call);
    return refusesEnvelopes(signed) ? result : signed;
  }
  return callSigned(deps, line, line.sealer, call);
}

/** Each attempt is an envelope of its own: the same one again would be a replay. */
async function callSigned(deps: ServiceDeps, line: RuntimeLine, sealer: Sealer, call: SkillCall): Promise<ActionResult | Guard> {
  const request = requestOf(call);
  const attempt = async (): Promise<[string, string]> => {
    const text = await sealer.seal(request).catch((error: unknown) => {
      throw error instanceof RangeError ? ServiceError.tooLargeToSign(call.actionId) : error;
    });
    return [ENVELOPE_METHOD, text];
  };
  const ask = async () => readReply(await callUntilAnswered(deps, line, attempt, call), call.actionId);
  const result = await ask();
  const runtimeNowMs = 'meta' in result || result.error.code !== 'ENVELOPE_STALE' ? null : result.error.details?.now_ms;
  if (typeof runtimeNowMs !== 'number') return result;
  // Its clock differs from ours. Nothing came of the call, and nothing else is on its way.
  sealer.setClock(runtimeNowMs);
  return ask();
}

const isGuardOf = (result: ActionResult | Guard, codes: string[]): boolean =>
  !('meta' in result) && result.error !== undefined && codes.includes(result.error.code);
const refusesUnsigned = (result: ActionResult | Guard): boolean => isGuardOf(result, ['PERMISSION_DENIED']);
/** Then what it said to the plain call says more. */
const refusesEnvelopes = (result: ActionResult | Guard): boolean =>
  isGuardOf(result, ['PERMISSION_DENIED', 'METHOD_NOT_FOUND', 'ENVELOPE_MALFORMED']);

/** The text of a call as it travels. */
export const payloadOf = (call: SkillCall): string => JSON.stringify(requestOf(call));

function requestOf({ skill, input, actionId, deadlineS }: SkillCall): Record<string, unknown> {
  const options = { action_id: actionId, ...(deadlineS === undefined ? {} : { deadline_s: deadlineS }) };
  return { name: skill, input, options };
}

/**
 * Whether the runtime is a worker, which holds a velocity until it is stopped. By its name, or as it says of itself: a tab may stand in
 * for a worker. @throws as `callSkill`, and 409 with what a runtime says that does not tell yet
 */
export async function isWorker(
  deps: ServiceDeps,
  line: RuntimeLine,
  call: Pick<SkillCall, 'actionId' | 'waitS' | 'signal'>,
): Promise<boolean> {
  if (!isRuntimeIdentity(line.identity)) return true;
  const reply = await callUntilAnswered(deps, line, async () => ['runtime.manifest', '{}'], call);
  const manifest = manifestSchema.safeParse(parseJson(reply));
  if (!manifest.success) return false;
  const { profile, error } = manifest.data;
  if (error && error.code !== 'METHOD_NOT_FOUND') throw ServiceError.saidByRuntime(error);
  return profile === 'worker';
}

async function callUntilAnswered(
  deps: ServiceDeps,
  { room, identity }: RuntimeLine,
  attempt: () => Promise<[method: string, payload: string]>,
  { actionId, waitS, signal, isOvertaken }: Pick<SkillCall, 'actionId' | 'waitS' | 'signal' | 'isOvertaken'>,
): Promise<string> {
  const startedMs = deps.clock.nowMs();
  let lastSeenMs = startedMs;
  for (;;) {
    signal?.throwIfAborted();
    let trouble: SfuError | null = null;
    try {
      const isThere = (await deps.sfu.listIdentities(room)).includes(identity);
      if (isThere) {
        lastSeenMs = deps.clock.nowMs();
        const [method, payload] = await attempt();
        if (isOvertaken?.()) throw ServiceError.overtaken(actionId);
        return await deps.sfu.performRpc({ room, identity, method, payload, timeoutMs: ATTEMPT_MS, signal });
      }
    } catch (error) {
      if (!(error instanceof SfuError)) throw error;
      trouble = error;
    }
    if (trouble && isFinal(trouble)) throw ServiceError.runtimeRefused(sentenceOf(trouble), actionId);
    const nowMs = deps.clock.nowMs();
    if (nowMs - lastSeenMs > BACK_WITHIN_MS) {
      throw trouble?.reason === 'unreachable' || trouble?.reason === 'refused'
        ? ServiceError.sfuUnavailable(actionId)
        : ServiceError.runtimeAbsent(actionId);
    }
    if (nowMs - startedMs >= waitS * 1000) throw ServiceError.runtimeSilent(actionId);
    await sleep(PAUSE_MS, undefined, signal ? { signal } : {});
  }
}

const FINAL = new Set<SfuError['reason']>(['rpc_failed', 'rpc_unknown_method', 'rpc_reply_too_large']);
const isFinal = (error: SfuError): boolean => FINAL.has(error.reason);

function sentenceOf({ reason, message }: SfuError): string {
  if (reason === 'rpc_unknown_method')
    return 'The participant in the room takes no skill calls. Reload its tab, or restart its worker.';
  if (reason === 'rpc_reply_too_large') {
    return 'The runtime carried the call out, but its answer is larger than LiveKit carries. Read the state of the robot instead.';
  }
  return message;
}

/** The reply as it came: what a runtime says beyond the contract is passed on. */
function readReply(reply: string, actionId: string): ActionResult | Guard {
  const value = parseJson(reply);
  if (!replySchema.safeParse(value).success) {
    throw ServiceError.runtimeRefused('The runtime answered something that is no action result.', actionId);
  }
  return value as ActionResult | Guard;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
