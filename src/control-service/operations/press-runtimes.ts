import { setTimeout as sleep } from 'node:timers/promises';
import { EMERGENCY_STOP_METHOD, type EmergencyStopResult, readEmergencyAnswer } from '../../protocol/emergency-stop.ts';
import { errorFacts } from '../../protocol/error-facts.ts';
import { ENVELOPE_METHOD } from '../../protocol/signed-claims.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Presence } from '../sfu-admin.ts';
import { SfuError } from '../sfu-error.ts';
import { isAnyRuntime } from '../tokens.ts';
import type { SessionRow } from './lookup.ts';
import { sealedAgain } from './sealed-again.ts';
import { type SignedLine, signedLine } from './signed-line.ts';
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
      if (!(error instanceof SfuError)) return [faulty(deps, session, error)];
      if (deps.clock.monotonicMs() >= untilMs) return [unreached(NO_SFU)];
    }
    await sleep(PAUSE_MS);
  }
  return Promise.all(present.map((runtime) => pressOne(deps, session, press, runtime, untilMs)));
}

const unreached = (problem: string, identity = ''): PressedRuntime => ({ identity, stands: false, after_ms: null, problem });

/** A fault of the service is for its operator, who finds it only in the log. */
function faulty({ log }: ServiceDeps, { robotId }: InRoom, error: unknown, identity = ''): PressedRuntime {
  log({ level: 'error', event: 'unforeseen_error', robot_id: robotId, ...errorFacts(error) });
  return unreached(FAULT, identity);
}

async function pressOne(
  deps: ServiceDeps,
  session: InRoom,
  { pressId, reason }: Press,
  { identity, joinId }: Presence,
  untilMs: number,
): Promise<PressedRuntime> {
  const { robotId, roomName: room } = session;
  const signed = signedLine(deps, robotId, room);
  const runtime = signed.runtime(identity, joinId);
  const payload = { press_id: pressId, ...(reason === null ? {} : { reason }) };
  const send = (method: string, text: string) =>
    deps.sfu.performRpc({ room, identity, method, payload: text, timeoutMs: ATTEMPT_MS });
  let isSigned = runtime.takes === 'signed';
  let problem = SILENT;
  let refusals = 0;
  for (;;) {
    try {
      const reply = isSigned
        ? await sealed(signed, payload, runtime.aheadMs, send)
        : await send(EMERGENCY_STOP_METHOD, JSON.stringify(payload));
      const reported = read(reply);
      if ('stands' in reported) {
        if (reported.stands) return { identity, stands: true, after_ms: reported.after_ms, problem: null };
        problem = STILL_MOVES;
      } else if (reported.code === 'PERMISSION_DENIED' && !isSigned) {
        isSigned = true;
        continue;
      } else {
        problem = reported.message;
        if (reported.code === 'METHOD_NOT_FOUND') return unreached(UNKNOWN, identity);
        if (reported.code === NO_CODE) return unreached(STRANGE, identity);
        refusals += 1;
        const again = sealedAgain(reported, { refusals, isStop: true });
        if (again.runtimeNowMs !== null) runtime.aheadMs = again.runtimeNowMs - deps.clock.nowMs();
        if (again.needsGrant) signed.forgetGrant();
        // After any other rejection the press is repeated after a pause, because it may then be accepted.
        if (again.when === 'at-once' && deps.clock.monotonicMs() < untilMs) continue;
      }
    } catch (error) {
      if (!(error instanceof SfuError)) return faulty(deps, session, error, identity);
      if (error.reason === 'no_participant') return unreached(HAS_LEFT, identity);
      if (error.reason === 'rpc_unknown_method') problem = UNKNOWN;
    }
    if (deps.clock.monotonicMs() >= untilMs) return unreached(problem, identity);
    await sleep(PAUSE_MS);
  }
}

/** Signed with the service's authority, so that a robot that accepts only signed control accepts it. */
const sealed = (
  signed: SignedLine,
  payload: Record<string, unknown>,
  aheadMs: number,
  send: (method: string, text: string) => Promise<string>,
): Promise<string> =>
  signed.call({
    method: EMERGENCY_STOP_METHOD,
    payload,
    aheadMs,
    check: () => {},
    send: (envelope) => send(ENVELOPE_METHOD, envelope),
  });

type RuntimeReport =
  | { stands: boolean; after_ms: number }
  | { code: string; message: string; details?: Record<string, unknown> | undefined };

function read(reply: string): RuntimeReport {
  try {
    const value = JSON.parse(reply) as { error?: { code?: unknown; message?: unknown; details?: unknown } };
    const answer = readEmergencyAnswer(value);
    if (answer !== null) return answer;
    const { code, message, details } = value.error ?? {};
    return {
      code: typeof code === 'string' ? code : NO_CODE,
      message: typeof message === 'string' ? message : STRANGE,
      details: typeof details === 'object' && details !== null ? { ...details } : undefined,
    };
  } catch {
    return { code: NO_CODE, message: STRANGE };
  }
}

/** An invalid answer: a repeated call would get the same one. */
const NO_CODE = '';

const SILENT = 'The runtime does not answer. It stops as soon as it receives updates from the room.';
const STILL_MOVES = 'The runtime is stopped, but the robot still moves: something pushes it. Look at it.';
const UNKNOWN = 'The participant in the room knows no emergency stop. Stop the robot in another way.';
const HAS_LEFT = 'The runtime has left the room. It is stopped when it returns.';
const STRANGE = "The runtime's answer is not an answer to an emergency stop. Look at the robot.";
const FAULT =
  'A fault of the service keeps the press from the runtime; the log has it. The runtime stops as soon as it receives updates from the room. Look at the robot.';
const NO_SFU =
  'The SFU does not answer, so the room has not received the stop. The service keeps sending it. Stop the robot in another way.';
