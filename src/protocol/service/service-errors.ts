/**
 * Every refusal of the control service by its own code, as in its error bodies `{code, message, details}`. Clients match on the
 * spelling.
 */
import { WORKERS_MAX } from '../wire/limits.ts';

export interface RefusalInfo {
  status: number;
  /** The meaning, for the manual. */
  summary: string;
  /** The caller's remedy. */
  remedy: string;
  /** The message, if clients match on it as a word; `details.hint` then has the sentence. */
  message?: string;
}

export const SERVICE_ERRORS = {
  'request.invalid': {
    status: 400,
    summary: 'The path, the query or the body does not match the description of the operation.',
    remedy: 'Correct what the message names; `details.fields` lists the fields.',
  },
  'request.malformed': {
    status: 400,
    summary: 'This is not a valid HTTP request, or it ended in the middle of its body.',
    remedy: 'Send the whole request again.',
  },
  'claim.wrong_pin': {
    status: 400,
    summary: 'This is not the PIN of the robot.',
    remedy: 'Check the PIN. Each wrong PIN counts towards the limit of tries.',
  },
  'http.401': {
    status: 401,
    summary: 'The API key is missing, unknown, expired or revoked; `details.reason` names the cause.',
    remedy: 'Send a valid key in the header `Authorization: Bearer <API key>`. `details.hint` has more.',
    message: 'unauthorized',
  },
  'request.foreign_origin': {
    status: 403,
    summary: 'A page of another site sent this request to `/mcp`.',
    remedy: 'Connect with a program, or from a page that this service serves.',
  },
  'robot.not_found': {
    status: 404,
    summary: 'None of your robots has this id. Robots of other accounts are not found either.',
    remedy: 'List your robots to see their ids. For a claim, compare the id with the one that came with its PIN.',
  },
  'api_key.not_found': {
    status: 404,
    summary: 'None of your API keys has this id. Keys of other accounts are not found either.',
    remedy: 'List your keys to see their ids.',
  },
  'link.not_found': {
    status: 404,
    summary: 'The session of the robot has no link with this id.',
    remedy: 'List the links of the session to see their ids. Links of an ended session are over.',
  },
  'http.not_found': {
    status: 404,
    summary: 'There is nothing at this address.',
    remedy: 'Compare the address with the description at `/openapi.json`.',
  },
  'http.method_not_allowed': {
    status: 405,
    summary: 'This address does not accept this method.',
    remedy: 'Use one of the methods in the header `Allow`.',
  },
  'request.timeout': {
    status: 408,
    summary: 'The request did not arrive in time.',
    remedy: 'Send it again, faster.',
  },
  'claim.already_claimed': {
    status: 409,
    summary: 'The robot is claimed by another user.',
    remedy: 'That user has to delete it first.',
  },
  'claim.pin_void': {
    status: 409,
    summary:
      'The PIN of the robot is no longer valid: its last owner released the robot, or there were too many wrong tries; `details.reason` names the cause.',
    remedy: 'Ask the operator of the service for a new PIN.',
  },
  'api_key.last': {
    status: 409,
    summary: 'No other API key of your account lasts as long as this one.',
    remedy: 'Make a key that lasts as long first, then revoke this one.',
  },
  'session.not_found': {
    status: 409,
    summary: 'The robot has no session.',
    remedy: 'Open one with POST …/session.',
  },
  'session.too_many_workers': {
    status: 409,
    summary: `The session would have more than ${WORKERS_MAX} agents.`,
    remedy: 'Name only the agents that the robot needs, or delete the session and open it with those.',
  },
  'participant.wrong_robot': {
    status: 400,
    summary: 'The identity belongs to the runtime of another robot.',
    remedy: 'Ask for `simplesim:<robot_id>` with the id in the path, or ask for the token of the other robot.',
  },
  'participant.wrong_access': {
    status: 400,
    summary: 'The identity belongs to a runtime, and `access` is for those who watch or drive a robot.',
    remedy: 'Leave `access` away for the robot itself, or ask for another identity.',
  },
  'control.no_driver': {
    status: 409,
    summary:
      'No participant that could drive has this identity: it is not in the room, may only watch, or is the runtime itself.',
    remedy: 'See who is in the room with GET …/session, and let the new driver join first.',
  },
  'control.unsupported': {
    status: 409,
    summary: 'The runtime in the room knows no orders of its owner: it is of an older version.',
    remedy:
      'Reload its page, or restart its worker with a new version. An emergency stop reaches it, and so does deleting the session.',
  },
  'control.overtaken': {
    status: 409,
    summary: 'Another order of who drives was given for this robot at the same time, and that one counts.',
    remedy: 'See who drives with GET …/session; order again if you still want it.',
  },
  'runtime.ambiguous': {
    status: 409,
    summary: "Several runtimes are in the room of the robot, and none of them is the robot's own.",
    remedy: 'Close all but one of them, then try again. `details.identities` lists them.',
  },
  'runtime.not_present': {
    status: 409,
    summary: 'No runtime is in the room of the robot.',
    remedy: 'Open its room-key link in a browser, then try again.',
  },
  'command.overtaken': {
    status: 409,
    summary:
      'A later command, or a stop, came before this command could be carried out. This one was not carried out and will not be.',
    remedy: 'Send it again with a new `action_id` if you still want it.',
  },
  'request.too_large': {
    status: 413,
    summary: 'The body is larger than 65536 bytes.',
    remedy: 'Send less.',
  },
  'request.not_json': {
    status: 415,
    summary: 'The Content-Type of the body is not JSON in UTF-8, or the body is compressed.',
    remedy: 'Send JSON with the header `Content-Type: application/json` and without `Content-Encoding`.',
  },
  'account.limit_reached': {
    status: 429,
    summary: 'The account has reached a limit; `details.limit` names it, `details.max` is its value.',
    remedy: 'Wait as many seconds as the header `Retry-After` has. If the message asks for it, delete something first.',
  },
  'claim.rate_limited': {
    status: 429,
    summary: 'There were too many wrong PINs, for this robot or from this caller.',
    remedy: 'Wait as many seconds as the header `Retry-After` has.',
  },
  'request.headers_too_large': {
    status: 431,
    summary: 'The headers are larger than 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    summary: 'The service failed unexpectedly.',
    remedy: 'Try again. If it happens again, report the request id to the operator of the service.',
  },
  'runtime.call_failed': {
    status: 502,
    summary: 'The runtime in the room did not carry out the call, or its answer is not a result.',
    remedy: 'Reload the viewer tab with a fresh room key, then try again.',
  },
  'robot.not_stopped': {
    status: 502,
    summary: 'The robot was set in motion, and the stop could not be delivered. The robot may still be moving.',
    remedy: 'Stop it now in another way: send the skill `stop`, or use its emergency stop.',
  },
  'service.starting': {
    status: 503,
    summary: 'The service is starting.',
    remedy: 'Wait as many seconds as the header `Retry-After` has, then try again.',
  },
  'database.unavailable': {
    status: 503,
    summary: 'The database does not answer. Your request may or may not have been carried out.',
    remedy: 'Wait as many seconds as the header `Retry-After` has, check whether it was carried out, then try again.',
  },
  'session.busy': {
    status: 503,
    summary: 'Another request is opening or closing the session of the robot.',
    remedy: 'Wait as many seconds as the header `Retry-After` has, then try again.',
  },
  'sfu.unavailable': {
    status: 503,
    summary: 'The media server does not answer.',
    remedy: 'Wait as many seconds as the header `Retry-After` has, then try again.',
  },
  'runtime.timeout': {
    status: 504,
    summary: 'The runtime did not answer in time. The action may still be running.',
    remedy: 'Ask for its result by `action_id`: send the same command with it again, or call runtime.action.',
  },
  'control.unanswered': {
    status: 504,
    summary:
      'The runtime did not confirm the order in time. `details.ordered` is true if the room has the order: then it may still obey, within 10 s.',
    remedy: 'See who drives with GET …/session, then order again: that is safe. To stop the robot, press its emergency stop.',
  },
  'service.timeout': {
    status: 504,
    summary: 'The service took too long. Your request may still be carried out.',
    remedy: 'Check whether it was carried out, then try again.',
  },
} as const satisfies Record<string, RefusalInfo>;

const MAKE_A_KEY =
  'that of `npm start` is `api_key` in `.simplesim/local.json`; elsewhere the operator of the service makes one with `npm run service -- keys create`';
/**
 * Why no key admits a request (`details.reason` of `http.401`), and the remedy (`details.hint`). Only the owner of a key learns
 * its history: for a key that the service never made, the answer states only that it is unknown.
 */
export const UNAUTHORIZED_HINTS = {
  missing: 'The request has no API key. Send it in the header "Authorization: Bearer <API key>".',
  malformed: 'The header Authorization is not of the form "Bearer <API key>". Send it so, with one space and the whole key.',
  unknown: `This service does not know that API key. Check that it is copied whole and belongs to this service; ${MAKE_A_KEY}.`,
  expired: `This API key has expired. Use another one; ${MAKE_A_KEY}.`,
  revoked: `This API key was revoked. Use another one; ${MAKE_A_KEY}.`,
} as const;
export type UnauthorizedReason = keyof typeof UNAUTHORIZED_HINTS;

export type ServiceErrorCode = keyof typeof SERVICE_ERRORS;
export type ServiceErrorStatus = (typeof SERVICE_ERRORS)[ServiceErrorCode]['status'];

/**
 * The things whose number is limited for each account (`details.limit` of `account.limit_reached`), and the remedy at the limit.
 */
export const ACCOUNT_LIMITS = {
  robots: { has: 'has {max} robots, the most that it may have. Delete some that you no longer need', waitS: 60 },
  api_keys: { has: 'has {max} API keys, the most that it may have. Revoke some that you no longer need', waitS: 60 },
  open_sessions: { has: 'has {max} open sessions, the most that it may have. Delete some that you no longer need', waitS: 60 },
  links_of_session: {
    has: 'has {max} links in this session that have not ended, revoked ones included, the most that it may have. Wait until some have ended, or open a new session',
    waitS: 60,
  },
  operator_links_of_session: {
    has: 'has {max} links to drive in this session that have not ended, revoked ones included, the most that it may have. Wait until some have ended, or open a new session',
    waitS: 60,
  },
  creations_per_minute: { has: 'makes more than {max} robots a minute. Wait a little', waitS: 1 },
  waiting_commands: {
    has: 'has {max} commands that wait for robots, the most that it may have. Wait until some have ended',
    waitS: 1,
  },
  waiting_stops: {
    has: 'has {max} waiting commands that end motion, the most that it may have, and this one is not a plain stop. Send "stop", or wait until some have ended',
    waitS: 1,
  },
  requests_at_once: { has: 'has {max} running requests, the most that it may have. Wait until some have ended', waitS: 1 },
} as const;
export type AccountLimit = keyof typeof ACCOUNT_LIMITS;

/** Returns whether this is an error code of the service itself. */
export const isServiceErrorCode = (code: string): code is ServiceErrorCode => Object.hasOwn(SERVICE_ERRORS, code);
