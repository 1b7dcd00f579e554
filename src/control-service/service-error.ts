import { shownName } from '../common/shown-text.ts';
import {
  ACCOUNT_LIMITS,
  type AccountLimit,
  SERVICE_ERRORS,
  type ServiceErrorCode,
  type ServiceErrorStatus,
  UNAUTHORIZED_HINTS,
  type UnauthorizedReason,
} from '../protocol/service/service-errors.ts';
import { ERROR_CODES, type ErrorCode } from '../protocol/wire/error-codes.ts';
import { ORDER_LIFE_MS } from '../protocol/wire/owner-order.ts';

/** The form in which a runtime's own code is passed on: one word, never text that was chosen to fill a log. */
const RUNTIME_CODE = /^[\w.-]{1,64}$/;
/** Maximum length of a foreign sentence inside one of the service's. */
const FOREIGN_TEXT_MAX_LENGTH = 500;
/** The reason why a PIN is void. */
export type PinVoidReason = 'released' | 'wrong_pins';
/** How many participants an answer names. */
const IDENTITIES_NAMED_MAX = 10;

/**
 * A rejected request: HTTP status, a code for programs and a sentence for people. The code is one of the service's own
 * (`SERVICE_ERRORS`), or the runtime's (409).
 */
export class ServiceError extends Error {
  readonly status: ServiceErrorStatus;
  readonly code: ServiceErrorCode | ErrorCode;
  /** Added to `details` beside the request id. */
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: ServiceError['status'],
    code: ServiceError['code'],
    message: string,
    more: { details?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'ServiceError';
    this.status = status;
    this.code = code;
    this.details = more.details ?? {};
    this.headers = more.headers ?? {};
  }

  static unauthorized(reason: UnauthorizedReason): ServiceError {
    return ServiceError.notLetIn(reason, UNAUTHORIZED_HINTS[reason]);
  }

  static wrongMetricsToken(): ServiceError {
    const hint =
      'The metrics are for the operator of the service. Send their token in the header "Authorization: Bearer <token>".';
    return ServiceError.notLetIn('unknown', hint);
  }

  /** Clients match on the word in the message, so the sentence is in the details. */
  private static notLetIn(reason: UnauthorizedReason, hint: string): ServiceError {
    const { status, message } = SERVICE_ERRORS['http.401'];
    return new ServiceError(status, 'http.401', message, {
      details: { reason, hint },
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }

  static invalid(message: string, fields: string[] = []): ServiceError {
    return new ServiceError(400, 'request.invalid', message, fields.length > 0 ? { details: { fields } } : {});
  }

  static incomplete(): ServiceError {
    return new ServiceError(400, 'request.malformed', 'The request ended before its body was whole. Send it again.');
  }

  static notJson(): ServiceError {
    return new ServiceError(
      415,
      'request.not_json',
      'The body must be JSON in UTF-8. Send it with the header "Content-Type: application/json".',
    );
  }

  /** The header lists the accepted types (RFC 9110, 15.5.16). */
  static compressed(): ServiceError {
    return new ServiceError(
      415,
      'request.not_json',
      'The body is compressed. Send it as it is, in UTF-8 and without Content-Encoding.',
      { headers: { 'Accept-Encoding': 'identity' } },
    );
  }

  static tooLarge(maxBytes: number): ServiceError {
    return new ServiceError(413, 'request.too_large', `The body is larger than ${maxBytes} bytes. Send less.`);
  }

  static notServed(method: string, path: string): ServiceError {
    return new ServiceError(404, 'http.not_found', `There is nothing at ${method} ${path}.`);
  }

  static methodNotAllowed(method: string, path: string, allowed: string): ServiceError {
    return new ServiceError(405, 'http.method_not_allowed', `${path} takes ${allowed}, not ${method}.`, {
      headers: { Allow: allowed },
    });
  }

  static unforeseen(): ServiceError {
    return new ServiceError(500, 'internal', 'The service failed. Try again. If it happens again, report the request id.');
  }

  static databaseUnavailable(): ServiceError {
    return new ServiceError(
      503,
      'database.unavailable',
      'The database does not answer. Try again in a moment. After a request that changes something, check first whether it was carried out.',
      { headers: { 'Retry-After': '1' } },
    );
  }

  static pressWaits(): ServiceError {
    return new ServiceError(
      503,
      'database.unavailable',
      'The press is not stored, and no participant in the room of the robot received it. The service keeps trying both. Stop the robot in another way.',
      { headers: { 'Retry-After': '1' } },
    );
  }

  static tooLong(limitS: number): ServiceError {
    return new ServiceError(
      504,
      'service.timeout',
      `The service needed more than ${limitS} s. Your request may still be carried out. Check whether it was, then try again.`,
    );
  }

  static robotNotFound(): ServiceError {
    return new ServiceError(404, 'robot.not_found', 'You have no robot with this id. List your robots to see their ids.');
  }

  /** For a claim: the robot has no owner yet, so it is in no list. */
  static noRobotToClaim(): ServiceError {
    return new ServiceError(
      404,
      'robot.not_found',
      'No robot here has this id. Compare it letter by letter with the one that came with its PIN: 32 digits and small letters a to f, in five groups with hyphens.',
    );
  }

  static apiKeyNotFound(): ServiceError {
    return new ServiceError(404, 'api_key.not_found', 'You have no API key with this id. List your keys to see their ids.');
  }

  static linkNotFound(): ServiceError {
    return new ServiceError(
      404,
      'link.not_found',
      'The session of this robot has no link with this id. List the links of the session to see their ids.',
    );
  }

  static lastApiKey(): ServiceError {
    return new ServiceError(
      409,
      'api_key.last',
      'No other API key of your account lasts as long as this one. Make one that does first, with a key that lasts as long, then revoke this one.',
    );
  }

  static noSession(): ServiceError {
    return new ServiceError(409, 'session.not_found', 'This robot has no session. Create one first: POST …/session.');
  }

  /** @param known the caller's robots in words; empty if there are none */
  static noSessionForAgent(known: string): ServiceError {
    const yours = known === '' ? 'Your account has no robots.' : `Your robots: ${known}.`;
    return new ServiceError(
      409,
      'session.not_found',
      `None of your robots has an open session. Open one with POST /v1/robots/{robot_id}/session, then connect again. ${yours}`,
    );
  }

  /** @param open the robots with an open session, in words */
  static severalSessionsForAgent(open: string): ServiceError {
    return ServiceError.invalid(
      `Several of your robots have an open session. Connect to /mcp/robots/{robot_id} with the id of one of them: ${open}.`,
      ['robot_id'],
    );
  }

  static ending(): ServiceError {
    const headers = { 'Retry-After': '1' };
    return new ServiceError(503, 'service.starting', 'The service is ending. Connect again when it has started.', { headers });
  }

  static foreignOrigin(): ServiceError {
    const { status, summary, remedy } = SERVICE_ERRORS['request.foreign_origin'];
    return new ServiceError(status, 'request.foreign_origin', `${summary} ${remedy}`);
  }

  static sessionBusy(): ServiceError {
    return new ServiceError(
      503,
      'session.busy',
      'Another request is opening or closing the session of this robot. Try again in a moment.',
      { headers: { 'Retry-After': '1' } },
    );
  }

  static tooManyAgents(max: number, there: number): ServiceError {
    return new ServiceError(
      409,
      'session.too_many_workers',
      `The session has ${there} agents, and may have ${max}. Name fewer, or delete the session and open it with those that the robot needs.`,
      { details: { fields: ['worker_names'], max } },
    );
  }

  static wrongRobotIdentity(identity: string, robotId: string): ServiceError {
    return new ServiceError(
      400,
      'participant.wrong_robot',
      `${identity} is the runtime of another robot. For this one ask for simplesim:${robotId}.`,
      { details: { fields: ['participant_identity'] } },
    );
  }

  static wrongAccess(identity: string): ServiceError {
    return new ServiceError(
      400,
      'participant.wrong_access',
      `${identity} is the name of a runtime, which neither watches nor drives a robot. Leave access away, or choose another identity.`,
      { details: { fields: ['participant_identity', 'access'] } },
    );
  }

  static wrongPin(): ServiceError {
    return new ServiceError(400, 'claim.wrong_pin', 'This is not the PIN of the robot. Check it and try again.');
  }

  static claimedByOther(): ServiceError {
    return new ServiceError(
      409,
      'claim.already_claimed',
      'This robot is claimed by another user. That user has to delete it first.',
    );
  }

  /** @param waitS Seconds until another attempt is useful. @default the limit's general value */
  static accountLimit(limit: AccountLimit, max: number, waitS: number = ACCOUNT_LIMITS[limit].waitS): ServiceError {
    const sentence = ACCOUNT_LIMITS[limit].has.replace('{max}', String(max));
    return new ServiceError(429, 'account.limit_reached', `Your account ${sentence}, then try again.`, {
      details: { limit, max, retry_after_s: waitS },
      headers: { 'Retry-After': String(waitS) },
    });
  }

  static pinVoid(reason: PinVoidReason): ServiceError {
    const why = reason === 'released' ? 'its last owner released it' : 'too many wrong PINs were tried';
    return new ServiceError(
      409,
      'claim.pin_void',
      `The PIN of this robot is no longer valid: ${why}. Ask the operator of the service for a new PIN.`,
      { details: { reason } },
    );
  }

  static tooManyClaims(retryAfterS: number): ServiceError {
    return new ServiceError(429, 'claim.rate_limited', `There were too many wrong PINs. Try again in ${retryAfterS} s.`, {
      details: { retry_after_s: retryAfterS },
      headers: { 'Retry-After': String(retryAfterS) },
    });
  }

  /** @param actionId of a command that may have reached the runtime before */
  static sfuUnavailable(actionId?: string): ServiceError {
    return new ServiceError(503, 'sfu.unavailable', 'The media server does not answer. Try again in a moment.', {
      details: actionId === undefined ? {} : { action_id: actionId },
      headers: { 'Retry-After': '1' },
    });
  }

  /** @param actionId of a command that may have reached the runtime before it went */
  static runtimeAbsent(actionId?: string): ServiceError {
    return new ServiceError(
      409,
      'runtime.not_present',
      'No runtime is in the room of this robot. Open its room-key link in a browser, or start its worker, then try again.',
      actionId === undefined ? {} : { details: { action_id: actionId } },
    );
  }

  static runtimeAmbiguous(identities: string[]): ServiceError {
    // A room accepts any number of participants, and each has a name of up to 256 characters.
    const named = identities.slice(0, IDENTITIES_NAMED_MAX);
    const rest = identities.length > named.length ? `, and ${identities.length - named.length} more` : '';
    return new ServiceError(
      409,
      'runtime.ambiguous',
      `Several runtimes are in the room of this robot (${named.map(shownName).join(', ')}${rest}). Close all of them but one, then try again.`,
      { details: { identities: named } },
    );
  }

  /** None of the command has reached the robot, or the part that did was rejected. */
  static overtaken(actionId: string): ServiceError {
    return new ServiceError(
      409,
      'command.overtaken',
      `A later command for this robot, or a stop, came before action ${actionId} could be carried out. It was not carried out and will not be. Send it again with a new action_id if you still want it.`,
      { details: { action_id: actionId } },
    );
  }

  static overtakenInDoubt(actionId: string): ServiceError {
    return new ServiceError(
      504,
      'runtime.timeout',
      `The runtime had not answered action ${actionId} when a later command for the robot came, so it was not sent again. It may or may not have been carried out. Read the state.`,
      { details: { action_id: actionId } },
    );
  }

  /** For a stop; a later stop replaces it. */
  static stopGaveWay(actionId: string): ServiceError {
    return new ServiceError(
      504,
      'runtime.timeout',
      `The runtime had not answered action ${actionId} when your account had as many stops waiting for robots as it may, so a later one took its place and this one is not sent again. It may or may not have been carried out. If the robot still moves, send it the skill "stop".`,
      { details: { action_id: actionId } },
    );
  }

  static runtimeSilent(actionId: string): ServiceError {
    return new ServiceError(
      504,
      'runtime.timeout',
      `The runtime did not answer in time; action ${actionId} may still be running. Send the same command with this action_id to get its result, or read it with runtime.action.`,
      { details: { action_id: actionId } },
    );
  }

  static runtimeRefused(message: string, actionId: string): ServiceError {
    return new ServiceError(502, 'runtime.call_failed', message, { details: { action_id: actionId } });
  }

  /**
   * The answer of a runtime that did not carry out the call. Only codes of the contract become codes of an answer, because these
   * are logged and counted. Any holder of its owner's room key can be a runtime, and may report anything.
   */
  static saidByRuntime(said: { code: string; message: string; details?: unknown }): ServiceError {
    const { code } = said;
    const details = typeof said.details === 'object' && !Array.isArray(said.details) ? { ...said.details } : {};
    if (Object.hasOwn(ERROR_CODES, code)) return new ServiceError(409, code as ErrorCode, said.message, { details });
    const message = said.message.slice(0, FOREIGN_TEXT_MAX_LENGTH);
    return new ServiceError(
      502,
      'runtime.call_failed',
      `The runtime failed with a code that is not in docs/reference/errors.md: ${message}`,
      {
        details: { ...details, ...(RUNTIME_CODE.test(code) ? { runtime_code: code } : {}) },
      },
    );
  }

  static noDriverThere(identity: string): ServiceError {
    return new ServiceError(
      409,
      'control.no_driver',
      `No participant that could drive is in the room under the identity ${shownName(identity)}. Let it join first; GET …/session lists who is there.`,
      { details: { fields: ['to'] } },
    );
  }

  static knowsNoOrders(): ServiceError {
    return new ServiceError(
      409,
      'control.unsupported',
      'The runtime in the room knows no orders of its owner. Reload its page, or restart its worker with a new version.',
    );
  }

  static orderOvertaken(): ServiceError {
    return new ServiceError(
      409,
      'control.overtaken',
      'Another order of who drives came at the same time, and that one counts. See who drives with GET …/session.',
    );
  }

  /** @param ordered whether the room was informed of it */
  static orderUnanswered(ordered: boolean): ServiceError {
    const may = ordered
      ? `It may still obey within ${ORDER_LIFE_MS / 1000} s; after that the order counts no more.`
      : 'Nothing was ordered.';
    return new ServiceError(
      504,
      'control.unanswered',
      `The runtime did not confirm the order in time. ${may} See who drives with GET …/session, then order again.`,
      { details: { ordered } },
    );
  }

  static tooLargeToSign(actionId: string): ServiceError {
    return new ServiceError(
      400,
      'request.invalid',
      'The command is too large to be signed: sealed, it would be larger than one call carries. Send smaller parameters.',
      { details: { fields: ['parameters'], action_id: actionId } },
    );
  }

  static robotNotStopped(actionId: string, why: string): ServiceError {
    return new ServiceError(
      502,
      'robot.not_stopped',
      `The robot was set in motion and could not be stopped: ${why} It may still be moving. Send it the skill "stop", or use its emergency stop.`,
      { details: { action_id: actionId } },
    );
  }
}
