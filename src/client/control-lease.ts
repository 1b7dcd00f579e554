import type { DriverChange, DriverFacts, DriverKind } from '../protocol/driver.ts';
import type { CallOptions } from './session-options.ts';

/** Options of `takeControl`. */
export interface TakeControlOptions extends CallOptions {
  /** A name to show to others. @default the identity in the room */
  name?: string | undefined;
  /** What drives. @default 'program' */
  kind?: DriverKind | undefined;
}

/** Options of `session.takeControl`. */
export interface TakeOverOptions extends TakeControlOptions {
  /**
   * Whether the robot is taken from whoever drives it, too, as its owner: by an order over HTTP, with the key of the client.
   * @default false
   */
  over?: boolean | undefined;
}

/** How a lease came to its end: who drives now (null: nobody), and why; null where nobody could tell. */
export interface LeaseEnd {
  /** Who drives now; null for nobody, or where nobody could tell. */
  driver: DriverFacts | null;
  /** How it came to that; null where the robot only said that the lease is gone, as after a restart, or the room is over. */
  why: DriverChange | null;
  /** Who ordered it, where neither of the two did: `owner`, with a key of the robot's account. */
  by?: string | undefined;
}

/** The asking and telling that a lease does. */
interface LeaseDeeds {
  release(): Promise<void>;
  give(to: string | undefined): Promise<void>;
}

/**
 * This session drives the robot: commands of others are refused (`NOT_CONTROLLER`) until the lease ends. It is renewed by itself. When
 * it ends, however it ends, what this session had running ends too, and the robot stands.
 */
export class ControlLease {
  /** Settles when the lease has ended, by `release` or `give` too. Never rejects. */
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

  /** Whether this session drives, as far as it has been told. */
  get isHeld(): boolean {
    return this.#end === null;
  }

  /** Drives no more: whoever calls commands then. Safe to repeat, and after the lease was lost. @throws TimeoutError */
  async release(): Promise<void> {
    if (this.isHeld) await this.#deeds.release();
  }

  /**
   * Gives the robot to a participant who asks for it.
   * @param to identity of one who asks, as `onControlAsked` tells it. @default the first who asked
   * @throws RcwRuntimeError `INVALID_INPUT` when nobody of the kind asks; NotControllerError when the lease was lost; TimeoutError
   */
  give(to?: string): Promise<void> {
    return this.#deeds.give(to);
  }

  /** `await using lease = await session.takeControl()` releases it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }
}
