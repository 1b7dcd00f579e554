import type { DriverChange, DriverFacts, DriverKind } from '../protocol/wire/driver.ts';
import type { CallOptions } from './session-options.ts';

/** Options of `takeControl`. */
export interface TakeControlOptions extends CallOptions {
  /** A name to show to others. @default the identity in the room */
  name?: string | undefined;
  /** The kind of driver. @default 'program' */
  kind?: DriverKind | undefined;
}

/** Options of `session.takeControl`. */
export interface TakeOverOptions extends TakeControlOptions {
  /**
   * Whether to take the robot from another driver too, as the owner: by an order over HTTP, with the client's key.
   * @default false
   */
  over?: boolean | undefined;
}

/** The end of a lease: the current driver and the reason. Fields are null if the session could not learn them. */
export interface LeaseEnd {
  /** The current driver; null if no one drives, or if the driver is unknown. */
  driver: DriverFacts | null;
  /**
   * The reason for the change. Null if the robot only reported that the lease is gone, for example after a restart, or if the
   * room is over.
   */
  why: DriverChange | null;
  /** The role that ordered the change, if neither driver did: `owner`, with a key of the robot's account. */
  by?: string | undefined;
}

/** The operations of a lease. */
interface LeaseDeeds {
  release(): Promise<void>;
  give(to: string | undefined): Promise<void>;
}

/**
 * While the lease lasts, this session drives the robot: commands of others are rejected with `NOT_CONTROLLER`. The lease is
 * renewed automatically. When it ends for any reason, the actions of this session end too and the robot stands.
 */
export class ControlLease {
  /** Settles when the lease has ended, also by `release` or `give`. Never rejects. */
  readonly ended: Promise<LeaseEnd>;
  readonly #deeds: LeaseDeeds;
  #end: LeaseEnd | null = null;

  /** @internal */
  constructor(deeds: LeaseDeeds, ended: Promise<LeaseEnd>) {
    this.#deeds = deeds;
    this.ended = ended;
    void ended.then((end) => {
      this.#end = end;
    });
  }

  /** Whether this session drives, according to the latest report. */
  get isHeld(): boolean {
    return this.#end === null;
  }

  /**
   * Releases the lease, so that any participant may command the robot. Safe to repeat, and after the lease was lost.
   * @throws TimeoutError
   */
  async release(): Promise<void> {
    if (this.isHeld) await this.#deeds.release();
  }

  /**
   * Gives the robot to a participant who asked for it.
   * @param to identity of that participant, as `onControlAsked` reports it. @default the first who asked
   * @throws RcwRuntimeError `INVALID_INPUT` when no such participant asks; NotControllerError when the lease was lost;
   * TimeoutError
   */
  give(to?: string): Promise<void> {
    return this.#deeds.give(to);
  }

  /** Releases the lease at the end of the block: `await using lease = await session.takeControl()`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }
}
