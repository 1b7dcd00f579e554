import type { ServiceErrorCode } from '../protocol/service/service-errors.ts';
import { type DriverFacts, driverFactsSchema } from '../protocol/wire/driver.ts';

/**
 * The errors, by the part that reports them. All except timeouts derive from `PlatformSDKError`. A skill that ran and failed is
 * not an error: `invoke` returns its `ActionResult` with `status: 'failed'`.
 */

/** The base class of the library's errors. Thrown itself if no subclass applies. */
export class PlatformSDKError extends Error {
  /** The name of the class, also in minified code. */
  override name = 'PlatformSDKError';
}

/** The platform could not be reached, and the reason was not a timeout. `cause` has the reason. */
export class PlatformConnectionError extends PlatformSDKError {
  /** The name of the class, also in minified code. */
  override name = 'PlatformConnectionError';
}

/** The platform answered with an HTTP status of 400 or above. */
export class PlatformAPIError extends PlatformSDKError {
  /** The name of the class, also in minified code. */
  override name = 'PlatformAPIError';
  /** HTTP status, 400 to 599. */
  readonly statusCode: number;
  /** The service's own code (`robot.not_found`), or `http.<status>` if the answer has none. */
  readonly code: ServiceErrorCode | (string & {});
  /** Quote this id when you ask the operators about the error. Null if the answer has none. */
  readonly requestId: string | null;
  /** The wait that the service asks for before the next try, seconds; null if it asks for none. */
  readonly retryAfterS: number | null;
  /** Further facts of the answer, by field; may be empty. */
  readonly details: Readonly<Record<string, unknown>>;

  /** @param facts of the answer; `message` is the service's sentence */
  constructor(facts: {
    statusCode: number;
    code: string;
    message: string;
    requestId?: string | null;
    retryAfterS?: number | null;
    details?: Record<string, unknown>;
  }) {
    super(facts.message);
    this.statusCode = facts.statusCode;
    this.code = facts.code;
    this.requestId = facts.requestId ?? null;
    this.retryAfterS = facts.retryAfterS ?? null;
    this.details = facts.details ?? {};
  }

  /** Returns name, code and sentence. */
  override toString(): string {
    return `${this.name}: ${this.code}: ${this.message}`;
  }
}

/** A `runtime.*` call that did not become an action: the runtime rejected it, or no runtime is in the room. */
export class RcwRuntimeError extends PlatformSDKError {
  /** The name of the class, also in minified code. */
  override name = 'RcwRuntimeError';
  /** An error code of the runtime, e.g. `INVALID_INPUT`, `NOT_READY`, `BUSY`. */
  readonly code: string;
  /** The runtime's sentence. */
  readonly runtimeMessage: string;
  /** Stage, `attempted`, `world_changed`, `retryable` and measured facts; empty if the runtime gives none. */
  readonly details: Readonly<Record<string, unknown>>;

  /** @param runtimeMessage the sentence without the code */
  constructor(code: string, runtimeMessage: string, details: Record<string, unknown> = {}) {
    super(`${code}: ${runtimeMessage}`);
    this.code = code;
    this.runtimeMessage = runtimeMessage;
    this.details = details;
  }
}

/**
 * The command was rejected because another participant drives the robot, or this session lost the lease. Call `askForControl` to
 * ask for it.
 */
export class NotControllerError extends RcwRuntimeError {
  /** The name of the class, also in minified code. */
  override name = 'NotControllerError';
  /** The current driver and the start of its lease; null if no one drives. */
  readonly driver: Readonly<DriverFacts> | null;

  /** @param runtimeMessage the sentence without the code */
  constructor(runtimeMessage: string, details: Record<string, unknown> = {}) {
    super('NOT_CONTROLLER', runtimeMessage, details);
    const driver = driverFactsSchema.safeParse(details.driver);
    this.driver = driver.success ? driver.data : null;
  }
}

/** A feature that is not available yet. */
export class PlatformNotAvailableError extends PlatformSDKError {
  /** The name of the class, also in minified code. */
  override name = 'PlatformNotAvailableError';
  /** Name of the feature on the wire, e.g. `scene_id`. */
  readonly feature: string;
  /** The issue that the feature depends on, and what to use in the meantime. */
  readonly issue: string;

  /** @param issue what the feature depends on, and what to use in the meantime */
  constructor(feature: string, issue: string) {
    super(`${feature} is not available: ${issue}`);
    this.feature = feature;
    this.issue = issue;
  }
}

/**
 * An operation exceeded its timeout: an HTTP answer, an RPC reply, `waitUntilReady` or a capture's stream. Outside the hierarchy,
 * as the language's own timeouts are, and named like them (`error.name === 'TimeoutError'`).
 */
export class TimeoutError extends Error {
  /** The name of the class, also in minified code. */
  override name = 'TimeoutError';
  /** The action that may still run on the robot, if the call started one. Read it by its id, or cancel it. */
  readonly actionId: string | null;

  /** @param actionId id of the action that may still run; null if there is none */
  constructor(message: string, actionId: string | null = null) {
    super(message);
    this.actionId = actionId;
  }
}
