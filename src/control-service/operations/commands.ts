import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionResult, Guard } from '../../protocol/action.ts';
import { actionResultSchema, guardSchema } from '../../protocol/action.ts';
import type { SemanticCommand, SessionCommandRequest } from '../../protocol/control-service.ts';
import { fitsRpc } from '../../protocol/json.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../../protocol/limits.ts';
import type { Caller } from '../accounts.ts';
import type { ServiceDeps } from '../deps.ts';
import { newId } from '../secrets.ts';
import { ServiceError } from '../service-error.ts';
import { SfuError } from '../sfu-admin.ts';
import { isAnyRuntime } from '../tokens.ts';
import { findSession, getRobot } from './lookup.ts';
import { askSfu } from './sessions.ts';

/** A semantic command moves so, for so long: some half a metre, or some half a radian. */
const SEMANTIC_MOTIONS: Record<SemanticCommand, { vx?: number; vy?: number; wz?: number; duration_s: number }> = {
  forward: { vx: 0.5, duration_s: 1 },
  backward: { vx: -0.5, duration_s: 1 },
  left: { vy: 0.4, duration_s: 1 },
  right: { vy: -0.4, duration_s: 1 },
  'turn-left': { wz: 0.8, duration_s: 1 },
  'turn-right': { wz: -0.8, duration_s: 1 },
};
/** Time for an action without a deadline of its own. */
const DEFAULT_WAIT_S = 120;
/** After its deadline the runtime needs this long to stop and answer. */
const STOP_MARGIN_S = 5;
/** One attempt is shorter than the 3 s after which LiveKit repeats a call by itself. */
const ATTEMPT_MS = 2_500;
const PAUSE_MS = 100;
/** A runtime that lost its connection in the middle of an action is back by then, or will not come. */
const REJOIN_MS = 10_000;
const METHOD = 'runtime.tools_call';

/**
 * Carries a skill call to the runtime in the robot's room and answers how it ended.
 * @param signal Ends the asking when nobody waits for the answer any more; the action itself goes on.
 */
export async function sessionCommand(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  body: SessionCommandRequest,
  signal?: AbortSignal,
): Promise<ActionResult | Guard> {
  await getRobot(deps.db, caller, robotId);
  const session = await findSession(deps.db, robotId);
  if (!session) throw ServiceError.noSession();
  const actionId = body.action_id ?? newId(deps.clock.nowMs(), deps.randomBytes);
  const deadline = body.deadline_s == null ? {} : { deadline_s: body.deadline_s };
  const payload = JSON.stringify({
    name: body.skill,
    input: body.parameters ?? {},
    options: { action_id: actionId, ...deadline },
  });
  if (!fitsRpc(payload)) {
    throw ServiceError.invalid(`The command is larger than ${RPC_PAYLOAD_MAX_BYTES} bytes. Send smaller parameters.`, [
      'parameters',
    ]);
  }
  const waitS = (body.deadline_s ?? DEFAULT_WAIT_S) + STOP_MARGIN_S;
  return readReply(await callUntilAnswered(deps, session.roomName, payload, waitS, signal));
}

/** Moves the robot a little; ends when it stands again. @throws 409 with the runtime's own code when it did not. */
export async function semanticCommand(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  command: SemanticCommand,
  signal?: AbortSignal,
): Promise<void> {
  const body = { skill: 'set_velocity', parameters: SEMANTIC_MOTIONS[command] };
  const result = await sessionCommand(deps, caller, robotId, body, signal);
  if (result.error) throw new ServiceError(409, result.error.code, result.error.message, { details: result.error.details });
}

/**
 * LiveKit waits a few seconds for a reply at most, and an action may take longer. So the same call is made until its reply comes:
 * the action id makes the repeats join the one action (promise P5).
 */
async function callUntilAnswered(
  deps: ServiceDeps,
  room: string,
  payload: string,
  waitS: number,
  signal?: AbortSignal,
): Promise<string> {
  const startedMs = deps.clock.nowMs();
  let lastSeenMs: number | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const identity = (await askSfu(() => deps.sfu.listIdentities(room))).find(isAnyRuntime);
    const nowMs = deps.clock.nowMs();
    if (identity !== undefined) lastSeenMs = nowMs;
    else if (lastSeenMs === null || nowMs - lastSeenMs > REJOIN_MS) throw ServiceError.runtimeAbsent();
    if (nowMs - startedMs >= waitS * 1000) throw ServiceError.runtimeSilent();
    try {
      if (identity !== undefined)
        return await deps.sfu.performRpc({ room, identity, method: METHOD, payload, timeoutMs: ATTEMPT_MS });
    } catch (error) {
      if (!(error instanceof SfuError)) throw error;
      if (error.reason === 'rpc_failed') throw ServiceError.runtimeRefused(error.message);
      if (error.reason !== 'rpc_no_reply' && error.reason !== 'no_participant') throw ServiceError.sfuUnavailable();
    }
    await sleep(PAUSE_MS, undefined, signal ? { signal } : {});
  }
}

function readReply(reply: string): ActionResult | Guard {
  try {
    const value: unknown = JSON.parse(reply);
    const result = actionResultSchema.safeParse(value);
    return result.success ? result.data : guardSchema.parse(value);
  } catch {
    throw ServiceError.runtimeRefused('The runtime answered something that is no action result.');
  }
}
