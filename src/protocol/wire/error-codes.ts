import { z } from 'zod';
import { droppedSchema } from './dropped.ts';

/** The stage of a call at which it failed. */
export const ERROR_STAGES = [
  'input',
  'readiness',
  'control',
  'precondition',
  'planning',
  'execution',
  'postcondition',
  'runtime',
] as const;
export type ErrorStage = (typeof ERROR_STAGES)[number];

interface CodeInfo {
  stage: ErrorStage;
  /** Whether the same call may succeed later without a change by the caller. */
  retryable: boolean;
  /** One line for the manual. */
  summary: string;
  /** The caller's remedy. */
  remedy: string;
}

/** Every error code of the runtime (docs/reference/errors.md). Clients match on the spelling. */
export const ERROR_CODES = {
  INVALID_INPUT: {
    stage: 'input',
    retryable: false,
    summary: 'The payload, or a field in it, does not match the schema.',
    remedy: 'Correct the field named in the message.',
  },
  UNKNOWN_SKILL: {
    stage: 'input',
    retryable: false,
    summary: 'No skill has this name.',
    remedy: 'Use a name from runtime.tools_list.',
  },
  UNKNOWN_ENTITY: {
    stage: 'input',
    retryable: false,
    summary: 'Nothing in the scene has this id.',
    remedy: 'Use an id from runtime.scene_state.',
  },
  UNKNOWN_CAMERA: {
    stage: 'input',
    retryable: false,
    summary: 'The robot has no camera with this id. A robot without a page has no cameras.',
    remedy: 'Use one of the ids in the message.',
  },
  PAYLOAD_TOO_LARGE: {
    stage: 'input',
    retryable: false,
    summary: 'The request or its reply is larger than one RPC can carry.',
    remedy: 'Ask for less: use the filters of the method.',
  },
  METHOD_NOT_FOUND: {
    stage: 'input',
    retryable: false,
    summary: 'The runtime has no such method.',
    remedy: 'See docs/reference/methods.md for the methods.',
  },
  NOT_READY: {
    stage: 'readiness',
    retryable: true,
    summary: 'The robot is still loading, or its body cannot be commanded now.',
    remedy: 'The message has the reason. Call again when that has passed.',
  },
  RUNTIME_SUSPENDED: {
    stage: 'readiness',
    retryable: true,
    summary: 'The browser froze the tab, or the tab was reloaded, while the action ran.',
    remedy: 'Read the state, then call again with a new action_id.',
  },
  BUSY: {
    stage: 'control',
    retryable: true,
    summary: 'Another action uses the same part of the body, or this participant has too many calls running.',
    remedy:
      'Wait for the action named in the message, or cancel it. If the details have a `limit`, send fewer calls and call again after `retry_after_ms`.',
  },
  PERMISSION_DENIED: {
    stage: 'control',
    retryable: false,
    summary: 'This runtime does not accept this call from this caller.',
    remedy: 'Follow the message.',
  },
  NOT_CONTROLLER: {
    stage: 'control',
    retryable: true,
    summary: 'Another drives this robot, or the caller drives it no more.',
    remedy: 'Ask for it with runtime.control {"action": "ask"}. The details name the driver, and since when.',
  },
  ENVELOPE_MALFORMED: {
    stage: 'control',
    retryable: false,
    summary: 'The signed envelope does not have the required form.',
    remedy: 'Build it as docs/protocol.md describes. The message names what is wrong.',
  },
  ENVELOPE_WRONG_KEY: {
    stage: 'control',
    retryable: false,
    summary: 'The envelope, or the grant in it, is not signed by a key that the runtime trusts.',
    remedy: 'Ask the control service of the session for a grant, and sign with its key.',
  },
  ENVELOPE_WRONG_ROBOT: {
    stage: 'control',
    retryable: false,
    summary: 'The envelope, or its grant, is for another robot.',
    remedy: 'Ask for a grant of the robot that is called.',
  },
  ENVELOPE_WRONG_SESSION: {
    stage: 'control',
    retryable: false,
    summary: 'The envelope, or its grant, is for another session.',
    remedy: 'Ask for a grant of the session that is open now.',
  },
  ENVELOPE_STALE: {
    stage: 'control',
    retryable: false,
    summary: 'The envelope has expired, was issued too long ago, or in the future.',
    remedy: 'Sign the call again. `now_ms` in the details is the clock of the runtime.',
  },
  ENVELOPE_REPLAYED: {
    stage: 'control',
    retryable: false,
    summary: 'An envelope with this sequence number was already used.',
    remedy: 'Use a greater number for each envelope.',
  },
  ENVELOPE_OUT_OF_ORDER: {
    stage: 'control',
    retryable: false,
    summary:
      'An envelope with a greater sequence number, or a later stop, was accepted first. The call in this one is not carried out.',
    remedy: 'Send envelopes in the order of their numbers. Sign the call again if you still want it.',
  },
  GRANT_EXPIRED: {
    stage: 'control',
    retryable: false,
    summary: 'The grant in the envelope has expired.',
    remedy: 'Ask the control service for a new one.',
  },
  CANCELLED: {
    stage: 'control',
    retryable: true,
    summary: 'The action was cancelled or replaced.',
    remedy: 'Read the state, then decide.',
  },
  DEADLINE_EXCEEDED: {
    stage: 'control',
    retryable: true,
    summary: 'The deadline of the call passed and the runtime stopped the action.',
    remedy: 'Allow more time, or split the task.',
  },
  DUPLICATE_ACTION: {
    stage: 'control',
    retryable: false,
    summary: 'The action id was used before with other parameters.',
    remedy: 'Use a new id for a new action.',
  },
  ACTION_NOT_FOUND: {
    stage: 'control',
    retryable: false,
    summary: 'No action with this id is active or remembered.',
    remedy: 'Read runtime.action without an id for the last ones.',
  },
  HANDS_FULL: {
    stage: 'precondition',
    retryable: false,
    summary: 'The robot already holds something.',
    remedy: 'Place it first.',
  },
  HANDS_EMPTY: {
    stage: 'precondition',
    retryable: false,
    summary: 'The robot holds nothing to place.',
    remedy: 'Pick something first.',
  },
  NOT_GRASPABLE: {
    stage: 'precondition',
    retryable: false,
    summary: 'The entity is not of a kind the hands can take.',
    remedy: 'Pick a cube or another thing.',
  },
  TARGET_OCCUPIED: {
    stage: 'precondition',
    retryable: true,
    summary: 'Something is already where the item should go.',
    remedy: 'Choose a free slot or place.',
  },
  GOAL_OUTSIDE_MAP: {
    stage: 'planning',
    retryable: false,
    summary: 'The goal is outside the floor.',
    remedy: 'Stay within the bounds of runtime.scene_layout.',
  },
  GOAL_OCCUPIED: {
    stage: 'planning',
    retryable: false,
    summary: 'An obstacle stands where the robot should stand.',
    remedy: 'Go to the nearest reachable point, which is in the details.',
  },
  NO_PATH: {
    stage: 'planning',
    retryable: false,
    summary: 'No way leads from the robot to the goal.',
    remedy: 'Go to the nearest reachable point, which is in the details.',
  },
  OUT_OF_REACH: {
    stage: 'planning',
    retryable: false,
    summary: 'The target is too far from the base for the arms.',
    remedy: 'Go nearer first.',
  },
  NO_FREE_SLOT: { stage: 'planning', retryable: true, summary: 'The pad has no free slot.', remedy: 'Choose another pad.' },
  NAVIGATION_STUCK: {
    stage: 'execution',
    retryable: true,
    summary: 'The robot cannot get nearer to its goal.',
    remedy: 'The details name what is in the way. Choose another way or goal.',
  },
  TRAJECTORY_TIMEOUT: {
    stage: 'execution',
    retryable: true,
    summary: 'No pose of the arms came in time, and the worker let the arms go limp.',
    remedy: 'Send the current pose again at least 10 times a second; 50 times is better.',
  },
  GRASP_MISSED: {
    stage: 'execution',
    retryable: true,
    summary: 'The hands closed without holding the named entity.',
    remedy: 'Read the scene, then try again.',
  },
  DROPPED: {
    stage: 'execution',
    retryable: true,
    summary: 'The item left the hands.',
    remedy: 'Read where it lies, then pick it up.',
  },
  WRONG_ENTITY_HELD: {
    stage: 'postcondition',
    retryable: false,
    summary: 'The hands hold another entity than the one named.',
    remedy: 'Place it, then try again.',
  },
  NOT_AT_GOAL: {
    stage: 'postcondition',
    retryable: true,
    summary: 'The motion ended outside its tolerance.',
    remedy: 'Try again, or allow a larger tolerance.',
  },
  NOT_ON_TARGET: {
    stage: 'postcondition',
    retryable: true,
    summary: 'The item does not lie where it was placed.',
    remedy: 'Read where it lies, then pick it up.',
  },
  CAPTURE_FAILED: {
    stage: 'runtime',
    retryable: true,
    summary: 'The camera could not draw, encode or send the picture.',
    remedy: 'Try again; the message has the cause.',
  },
  INTERNAL: {
    stage: 'runtime',
    retryable: true,
    summary: 'Something inside the runtime failed.',
    remedy: 'Read the state, then try again. If you report it, quote the reference in the details.',
  },
} as const satisfies Record<string, CodeInfo>;

export type ErrorCode = keyof typeof ERROR_CODES;
const errorCodeSchema = z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]);

const worldChangedSchema = z.enum(['no', 'yes', 'unknown']);
export type WorldChanged = z.infer<typeof worldChangedSchema>;

/** The details of every failure besides its code and sentence (promise P4). Codes add fields of their own. */
export const errorDetailsSchema = z.looseObject({
  stage: z.enum(ERROR_STAGES).describe('where in its life the call failed'),
  attempted: z.boolean().describe('was one physics step spent on it?'),
  world_changed: worldChangedSchema.describe('whether anything in the world is different from before'),
  retryable: z.boolean().describe('whether the same call may succeed later, unchanged'),
  problem: z.string().optional().describe('what is wrong, without advice'),
  hint: z.string().optional().describe('what may help'),
  allowed: z.unknown().optional().describe('what would have been accepted'),
  evidence: z.unknown().optional().describe('what was measured'),
  progress: z.unknown().optional().describe('how far it came'),
  dropped: droppedSchema
    .optional()
    .describe('the thing that left the hands while the action ran, or before it for `HANDS_EMPTY`'),
});
export type ErrorDetails = z.infer<typeof errorDetailsSchema>;

export const runtimeErrorSchema = z.object({
  code: errorCodeSchema.describe('docs/reference/errors.md lists them all'),
  message: z.string().min(1).describe('what was asked, what is wrong and what to do'),
  details: errorDetailsSchema.describe('what else is known of the failure'),
});
export type RuntimeError = z.infer<typeof runtimeErrorSchema>;

/** The facts that a failure adds to its code. */
export interface FailureFacts {
  attempted?: boolean;
  worldChanged?: WorldChanged;
  retryable?: boolean;
  /** The problem, in sentences without advice: for a program that gives advice of its own. */
  problem?: string;
  hint?: string;
  [detail: string]: unknown;
}

/**
 * Builds an error with everything that promise P4 requires. `attempted` is false and `world_changed` "no" unless the facts state
 * otherwise.
 * @param message one sentence: what was asked, what is wrong, what to do.
 */
export function runtimeError(code: ErrorCode, message: string, facts: FailureFacts = {}): RuntimeError {
  const { attempted = false, worldChanged = 'no', retryable = ERROR_CODES[code].retryable, hint, ...rest } = facts;
  return {
    code,
    message,
    details: {
      stage: ERROR_CODES[code].stage,
      attempted,
      world_changed: worldChanged,
      retryable,
      ...(hint === undefined ? {} : { hint }),
      ...rest,
    },
  };
}

/** Builds an error whose message is a problem and then advice. The details have the two apart. @param hint the advice, in sentences */
export const advisedError = (code: ErrorCode, problem: string, hint: string, facts: FailureFacts = {}): RuntimeError =>
  runtimeError(code, `${problem} ${hint}`, { problem, hint, ...facts });
