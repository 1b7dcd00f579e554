import { setTimeout as sleep } from 'node:timers/promises';
import { errorFacts } from '../../common/error-facts.ts';
import { ENVELOPE_METHOD } from '../../protocol/signed/signed-claims.ts';
import { EMERGENCY_STOP_METHOD, type EmergencyStopResult, readEmergencyAnswer } from '../../protocol/wire/emergency-stop.ts';
import { KNOWS_NO_PRESS, outcomeOfAnswer, type PressOutcome, pressEverywhere, SILENT } from '../../remote-robot/press.ts';
import { readRefusal } from '../../remote-robot/refusal.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Presence } from '../sfu-admin.ts';
import { SfuError } from '../sfu-error.ts';
import { isAnyRuntime } from '../tokens.ts';
import type { SessionRow } from './lookup.ts';
import { parseJson } from './runtime-calls.ts';
import { signedLine } from './signed-line.ts';
import { ATTEMPT_MS } from './until-answered.ts';

export type PressedRuntime = EmergencyStopResult['runtimes'][number];

/** The part of a press that a runtime receives. */
interface Press {
  pressId: string;
  reason: string | null;
}

/** The robot, and its room. */
type InRoom = Pick<SessionRow, 'robotId' | 'roomName'>;

/** How long a press is repeated. The room's metadata informs a runtime that has not answered by then. */
const TELL_MAX_MS = 8_000;
const PAUSE_MS = 100;

/**
 * Presses the emergency stop at every runtime in the room of a session, until each has answered. A room usually has one runtime.
 * Never throws.
 */
export async function pressRuntimes(deps: ServiceDeps, session: InRoom, press: Press): Promise<PressedRuntime[]> {
  const untilMs = deps.clock.monotonicMs() + TELL_MAX_MS;
  let present: Presence[];
  for (;;) {
    try {
      present = (await deps.sfu.listParticipants(session.roomName)).filter(({ identity }) => isAnyRuntime(identity));
      break;
    } catch (error) {
      if (!(error instanceof SfuError)) return [unreached(faulty(deps, session, error))];
      if (deps.clock.monotonicMs() >= untilMs) return [unreached(NO_SFU)];
    }
    await sleep(PAUSE_MS);
  }
  return Promise.all(present.map((runtime) => pressOne(deps, session, press, runtime, untilMs)));
}

const unreached = (problem: string, identity = ''): PressedRuntime => ({ identity, stands: false, after_ms: null, problem });

/** A fault of the service is for its operator, who finds it only in the log. @returns the sentence for the caller */
function faulty({ log }: ServiceDeps, { robotId }: InRoom, error: unknown): string {
  log({ level: 'error', event: 'unforeseen_error', robot_id: robotId, ...errorFacts(error) });
  return FAULT;
}

async function pressOne(
  deps: ServiceDeps,
  session: InRoom,
  press: Press,
  runtime: Presence,
  untilMs: number,
): Promise<PressedRuntime> {
  const { identity } = runtime;
  const pressOnce = createPress(deps, session, press, runtime, untilMs);
  let afterMs: number | null = null;
  const answered = async (): Promise<PressOutcome> => {
    try {
      const reply = await pressOnce();
      afterMs = readEmergencyAnswer(reply)?.after_ms ?? null;
      return outcomeOfAnswer(reply);
    } catch (error) {
      if (!(error instanceof SfuError)) return { status: 'silent', problem: faulty(deps, session, error), isFinal: true };
      if (error.reason === 'no_participant') return { status: 'silent', problem: HAS_LEFT, isFinal: true };
      return { ...SILENT, problem: error.reason === 'rpc_unknown_method' ? KNOWS_NO_PRESS : UNANSWERED };
    }
  };
  const { by, outcomes } = await pressEverywhere(
    { runtime: answered },
    { untilMs, pauseMs: PAUSE_MS, monotonicMs: deps.clock.monotonicMs, sleep },
  );
  if (by !== null) return { identity, stands: true, after_ms: afterMs, problem: null };
  return unreached(outcomes.runtime?.problem ?? UNANSWERED, identity);
}

/**
 * Returns a function that presses once at a runtime, and returns its reply, read as JSON. The press is signed with the service's
 * authority if the runtime accepts only signed control.
 */
function createPress(
  deps: ServiceDeps,
  { robotId, roomName: room }: InRoom,
  { pressId, reason }: Press,
  { identity, joinId }: Presence,
  untilMs: number,
): () => Promise<unknown> {
  const signed = signedLine(deps, robotId, room);
  const runtime = signed.runtime(identity, joinId);
  const payload = { press_id: pressId, ...(reason === null ? {} : { reason }) };
  const send = (method: string, text: string) =>
    deps.sfu.performRpc({ room, identity, method, payload: text, timeoutMs: ATTEMPT_MS });
  let isSigned = runtime.takes === 'signed';
  let refusals = 0;

  return async () => {
    if (!isSigned) {
      const reply = parseJson(await send(EMERGENCY_STOP_METHOD, JSON.stringify(payload)));
      if (readRefusal(reply)?.code !== 'PERMISSION_DENIED') return reply;
      isSigned = true;
    }
    for (;;) {
      const sealed = signed.call({
        method: EMERGENCY_STOP_METHOD,
        payload,
        aheadMs: runtime.aheadMs,
        check: () => {},
        send: (envelope) => send(ENVELOPE_METHOD, envelope),
      });
      const reply = parseJson(await sealed);
      const refusal = readRefusal(reply);
      if (refusal === null) return reply;
      refusals += 1;
      const retry = signed.judge(runtime, refusal, { refusals, kind: 'stop' });
      if (retry !== 'now' || deps.clock.monotonicMs() >= untilMs) return reply;
    }
  };
}

const UNANSWERED = 'The runtime does not answer. It stops as soon as it receives updates from the room.';
const HAS_LEFT = 'The runtime has left the room. It is stopped when it returns.';
const FAULT =
  'A fault of the service keeps the press from the runtime; the log has it. The runtime stops as soon as it receives updates from the room. Look at the robot.';
const NO_SFU =
  'The SFU does not answer, so the room has not received the stop. The service keeps sending it. Stop the robot in another way.';
