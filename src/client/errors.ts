import { type DriverFacts, driverFactsSchema } from '../protocol/driver.ts';
import type { ServiceErrorCode } from '../protocol/service-errors.ts';

/**
 * The errors, by the part that reports them. Everything but a timeout derives from `PlatformSDKError`. A skill that ran and failed is not an
 * error: `invoke` returns its `ActionResult` with `status: 'failed'`.
 */

/** The root of the library's errors; thrown itself for what has no class of its own. */
export class PlatformSDKError extends Error {
  /** The name of the class, also in code that was made smaller. */
  override name = 'PlatformSDKError';
}

/** The platform could not be reached: no answer came, for another reason than a timeout. `cause` holds the reason. */
export class PlatformConnectionError extends PlatformSDKError {
  /** The name of the class, also in code that was made smaller. */
  override name = 'PlatformConnectionError';
}

/** The platform answered with an HTTP status of 400 or above. */
export class PlatformAPIError extends PlatformSDKError {
  /** The name of the class, also in code that was made smaller. */
  override name = 'PlatformAPIError';
  /** HTTP status, 400 to 599. */
  readonly statusCode: number;
  /** The service's own code (`robot.not_found`), or `http.<status>` where the answer holds none. */
  readonly code: ServiceErrorCode | (string & {});
  /** To be named when asking the operators about it; null when the answer holds none. */
  readonly requestId: string | null;
  /** How long the service asks to wait before the next try, seconds; null when it does not say. */
  readonly retryAfterS: number | null;
  /** Further facts of the answer, by field; empty when it has none. */
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

  /** Name, code and sentence. */
  override toString(): string {
    return `${this.name}: ${this.code}: ${this.message}`;
  }
}

/** A `runtime.*` call that did not become an action: the runtime refused it, or there is no runtime to ask. */
export class RcwRuntimeError extends PlatformSDKError {
  /** The name of the class, also in code that was made smaller. */
  override name = 'RcwRuntimeError';
  /** An error code of the runtime, e.g. `INVALID_INPUT`, `NOT_READY`, `BUSY`. */
  readonly code: string;
  /** The runtime's sentence. */
  readonly runtimeMessage: string;
  /** Stage, `attempted`, `world_changed`, `retryable` and measured facts; empty where the runtime gives none. */
  readonly details: Readonly<Record<string, unknown>>;

  /** @param runtimeMessage the sentence without the code */
  constructor(code: string, runtimeMessage: string, details: Record<string, unknown> = {}) {
    super(`${code}: ${runtimeMessage}`);
    this.code = code;
    this.runtimeMessage = runtimeMessage;
    this.details = details;
  }
}

/** Another drives the robot, or this session drives it no more: the command was refused. `askForControl` asks for it. */
export class NotControllerError extends RcwRuntimeError {
  /** The name of the class, also in code that was made smaller. */
  override name = 'NotControllerError';
  /** Who drives, and since when; null when nobody does. */
  readonly driver: Readonly<DriverFacts> | null;

  /** @param runtimeMessage the sentence without the code */
  constructor(runtimeMessage: string, details: Record<string, unknown> = {}) {
    super('NOT_CONTROLLER', runtimeMessage, details);
    const driver = driverFactsSchema.safeParse(details.driver);
    this.driver = driver.success ? driver.data : null;
  }
}

/** A feature that waits for work elsewhere. */
export class PlatformNotAvailableError extends PlatformSDKError {
  /** The name of the class, also in code that was made smaller. */
  override name = 'PlatformNotAvailableError';
  /** Name of the feature on the wire, e.g. `scene_id`. */
  readonly feature: string;
  /** The issue that it waits for, and what to use meanwhile. */
  readonly issue: string;

  /** @param issue what it waits for, and what to use meanwhile */
  constructor(feature: string, issue: string) {
    super(`${feature} is not available: ${issue}`);
    this.feature = feature;
    this.issue = issue;
  }
}

/**
 * Something took longer than allowed: an HTTP answer, an RPC reply, `waitUntilReady`, a capture's stream. Outside the hierarchy, as
 * the language's own timeouts are, and named like theirs (`error.name === 'TimeoutError'`).
 */
export class TimeoutError extends Error {
  /** The name of the class, also in code that was made smaller. */
  override name = 'TimeoutError';
  /** The action that may still run on the robot, when the call started one: ask for it by id, or cancel it. */
  readonly actionId: string | null;

  /** @param actionId of the action that may still run; null when there is none */
  constructor(message: string, actionId: string | null = null) {
    super(message);
    this.actionId = actionId;
  }
}
