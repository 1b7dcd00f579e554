/** Every refusal of the control service by its own code, as in its error bodies `{code, message, details}`. Clients match on the spelling. */
import { WORKERS_MAX } from './limits.ts';

export interface RefusalInfo {
  status: number;
  /** What is the case, for the manual. */
  summary: string;
  /** What a caller does about it. */
  remedy: string;
  /** The message, where clients know it by the word; then `details.hint` has the sentence. */
  message?: string;
}

export const SERVICE_ERRORS = {
  'request.invalid': {
    status: 400,
    summary: 'The path, the query or the body is not what the description of the operation asks for.',
    remedy: 'Mend what the message names; `details.fields` lists the fields.',
  },
  'request.malformed': {
    status: 400,
    summary: 'What arrived is no HTTP request, or it ended before its body was whole.',
    remedy: 'Send it again, whole.',
  },
  'claim.wrong_pin': {
    status: 400,
    summary: 'This is not the PIN of the robot.',
    remedy: 'Check the PIN. Wrong ones count towards the limit of claims.',
  },
  'http.401': {
    status: 401,
    summary: 'The API key is missing, unknown, expired or revoked; `details.reason` says which.',
    remedy: 'Send a valid key in the header `Authorization: Bearer <API key>`. `details.hint` says more.',
    message: 'unauthorized',
  },
  'robot.not_found': {
    status: 404,
    summary: 'None of your robots has this id. A robot of somebody else is not found either.',
    remedy: 'List your robots for the ids there are.',
  },
  'http.not_found': {
    status: 404,
    summary: 'Nothing is served at this address.',
    remedy: 'Compare the address with the description at `/openapi.json`.',
  },
  'http.method_not_allowed': {
    status: 405,
    summary: 'The address does not take this method.',
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
    remedy: 'They have to delete it first.',
  },
  'claim.pin_void': {
    status: 409,
    summary:
      'The PIN of the robot holds no more: its last owner released it, or it was tried wrongly too often; `details.reason` says which.',
    remedy: 'Ask whoever runs the service for a new PIN.',
  },
  'session.not_found': {
    status: 409,
    summary: 'The robot has no session.',
    remedy: 'Create one: POST …/session.',
  },
  'session.too_many_workers': {
    status: 409,
    summary: `The session would have more than ${WORKERS_MAX} agents.`,
    remedy: 'Name only agents that the robot needs, or delete the session and open it with those.',
  },
  'participant.wrong_robot': {
    status: 400,
    summary: 'The identity is that of the runtime of another robot.',
    remedy: 'Ask for `simplesim:<robot_id>` with the id in the path, or take the token from the other robot.',
  },
  'runtime.ambiguous': {
    status: 409,
    summary: 'Several runtimes are in the room of the robot, and none of them is its own.',
    remedy: 'Close all of them but one, then try again. `details.identities` lists them.',
  },
  'runtime.not_present': {
    status: 409,
    summary: 'No runtime is in the room of the robot.',
    remedy: 'Open its room-key link in a browser, then try again.',
  },
  'command.overtaken': {
    status: 409,
    summary:
      'A later command for the robot, or a stop, came before this one could be carried out. It was not carried out and will not be.',
    remedy: 'Send it again with another `action_id` if it is still wanted.',
  },
  'request.too_large': {
    status: 413,
    summary: 'The body is larger than 65536 bytes.',
    remedy: 'Send less.',
  },
  'request.not_json': {
    status: 415,
    summary: 'The body is not JSON in UTF-8, by its Content-Type.',
    remedy: 'Send JSON with the header `Content-Type: application/json`.',
  },
  'account.limit_reached': {
    status: 429,
    summary: 'The account has, or asks for, as much as it may; `details.limit` says of what, `details.max` how much.',
    remedy: 'Wait as many seconds as the header `Retry-After` says; where the message says so, delete something first.',
  },
  'claim.rate_limited': {
    status: 429,
    summary: 'There were too many wrong PINs, for this robot or from this caller.',
    remedy: 'Wait as many seconds as the header `Retry-After` says.',
  },
  'request.headers_too_large': {
    status: 431,
    summary: 'The headers are larger than 16 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    summary: 'The service failed in a way that nobody foresaw.',
    remedy: 'Try again; if it stays so, report the request id to whoever runs the service.',
  },
  'runtime.call_failed': {
    status: 502,
    summary: 'The runtime in the room did not carry out the call, or answered something that is no result.',
    remedy: 'Reload the viewer tab with a fresh room key, then try again.',
  },
  'robot.not_stopped': {
    status: 502,
    summary: 'A robot that holds its velocity was set in motion, and the stop could not be delivered. It may still be moving.',
    remedy: 'Stop it by other means at once: send the skill `stop`, or use its emergency stop.',
  },
  'service.starting': {
    status: 503,
    summary: 'The service is starting.',
    remedy: 'Wait as many seconds as the header `Retry-After` says, then try again.',
  },
  'database.unavailable': {
    status: 503,
    summary: 'The database does not answer; whether what was asked for has happened is not known.',
    remedy: 'Wait as many seconds as the header `Retry-After` says, look whether it has happened, then try again.',
  },
  'session.busy': {
    status: 503,
    summary: 'Another request is opening or closing the session of the robot.',
    remedy: 'Wait as many seconds as the header `Retry-After` says, then try again.',
  },
  'sfu.unavailable': {
    status: 503,
    summary: 'The media server does not answer.',
    remedy: 'Wait as many seconds as the header `Retry-After` says, then try again.',
  },
  'runtime.timeout': {
    status: 504,
    summary: 'The runtime did not answer in time; the action may still run.',
    remedy: 'Ask for its result by the `action_id`: send the same command again with it, or call runtime.action.',
  },
  'service.timeout': {
    status: 504,
    summary: 'The service did not come to an end in time; what was asked for may still happen.',
    remedy: 'Look whether it has happened, then try again.',
  },
} as const satisfies Record<string, RefusalInfo>;

const MAKE_A_KEY = 'whoever runs the service makes one with `npm run service -- keys create`';
/**
 * Why a request is let in by no key (`details.reason` of `http.401`), and what to do about it (`details.hint`). Only who has a key hears
 * what became of it: of one that the service never made it says no more than that.
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

/** What an account may have only so much of (`details.limit` of `account.limit_reached`), and what to do when it has. */
export const ACCOUNT_LIMITS = {
  robots: { has: 'has {max} robots, as many as it may. Delete some that are not needed any more', waitS: 60 },
  open_sessions: { has: 'has {max} open sessions, as many as it may. Delete some that are not needed any more', waitS: 60 },
  creations_per_minute: { has: 'makes more than {max} robots a minute. Wait a little', waitS: 1 },
  waiting_commands: { has: 'has {max} commands that wait for robots, as many as it may. Wait until some have ended', waitS: 1 },
  waiting_stops: {
    has: 'has {max} commands waiting that end motion, as many as it may, and this one says more than "stop". Send "stop", or wait until some have ended',
    waitS: 1,
  },
  requests_at_once: { has: 'has {max} requests under way, as many as it may. Wait until some have ended', waitS: 1 },
} as const;
export type AccountLimit = keyof typeof ACCOUNT_LIMITS;

/** Whether the service itself refuses so. */
export const isServiceErrorCode = (code: string): code is ServiceErrorCode => Object.hasOwn(SERVICE_ERRORS, code);
