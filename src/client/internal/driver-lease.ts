import {
  type CancelsRepeated,
  type ControlAsked,
  type DriverChanged,
  EVENTS_TOPIC,
  readRoomEvent,
} from '../../protocol/room/room-events.ts';
import {
  CONTROL_METHOD,
  type ControlAnswer,
  DRIVER_CHANGES,
  DRIVER_RENEW_MS,
  readControlAnswer,
} from '../../protocol/wire/driver.ts';
import { ControlLease, type LeaseEnd, type TakeControlOptions, type TakeOverOptions } from '../control-lease.ts';
import { NotControllerError, RcwRuntimeError, TimeoutError } from '../errors.ts';
import type { Logger } from '../options.ts';
import { guardCallback } from './guard-callback.ts';
import { type AskOptions, READ_REPLY_MS, type RoomLink } from './room-link.ts';
import { atMost, type Deferred, deferred, sleep } from './wait.ts';

const KEPT_OUT: readonly string[] = ['NOT_CONTROLLER', 'BUSY'];

/** Long enough to repeat a release or a transfer once if its answer got lost. */
const ANSWER_MS = 2 * READ_REPLY_MS + 1_000;
/** Longest wait for a release on leaving. Leaving the room ends the lease too. */
const RELEASE_ON_LEAVE_MS = 1_000;

/** Orders over HTTP, as the owner, that this session drives. */
export type OrderSelf = (about: Pick<TakeControlOptions, 'name' | 'kind'>, ask: AskOptions) => Promise<unknown>;

interface Events {
  driverChanged: DriverChanged;
  controlAsked: ControlAsked;
  cancelsRepeated: CancelsRepeated;
}

interface HeldLease {
  end: Deferred<LeaseEnd>;
  /** The identity under which the robot knows this session. */
  identity: string | null;
  over: AbortController;
}

/** The lease of a session: takes it, asks for it, renews it, and follows its changes. */
export class DriverLease {
  readonly #link: RoomLink;
  readonly #logger: Logger;
  readonly #listeners = { driverChanged: new Set<object>(), controlAsked: new Set<object>(), cancelsRepeated: new Set<object>() };
  #held: HeldLease | null = null;
  /** Ends the pause between two requests for the lease. */
  #wake = deferred<void>();

  constructor(link: RoomLink, logger: Logger) {
    this.#link = link;
    this.#logger = logger;
    link.onData(EVENTS_TOPIC, (text) => this.#hear(text));
  }

  /** @returns a function that removes the listener */
  on<K extends keyof Events>(what: K, listener: (event: Events[K]) => void): () => void {
    const held = { listener };
    this.#listeners[what].add(held);
    return () => void this.#listeners[what].delete(held);
  }

  /**
   * @param order orders over HTTP that this session drives
   * @throws NotControllerError while another participant drives; with `over`, what `order` throws
   */
  async take(options: TakeOverOptions, ask: AskOptions, order: OrderSelf): Promise<ControlLease> {
    const take = async (): Promise<ControlLease> =>
      this.#hold(await this.#request({ action: 'take', ...aboutSelf(options) }, ask));
    try {
      return await take();
    } catch (error) {
      // The owner may always take the robot, also after too many changes of driver.
      if (options.over !== true || !(error instanceof RcwRuntimeError && KEPT_OUT.includes(error.code))) throw error;
    }
    await order(aboutSelf(options), ask);
    // The robot confirms the lease itself, and from here on it is renewed.
    return take();
  }

  /** Asks until the lease is given, or no one drives. @throws TimeoutError; the signal's reason */
  async ask(options: TakeControlOptions, { timeoutMs, signal }: AskOptions): Promise<ControlLease> {
    const deadlineMs = performance.now() + timeoutMs;
    for (;;) {
      const leftMs = deadlineMs - performance.now();
      // The transfer may be reported before the answer to the request.
      const woken = this.#wake.promise;
      const answer = leftMs > 0 ? await this.#askOnce(options, { timeoutMs: leftMs, signal }) : null;
      if (answer?.you_drive) return this.#hold(answer);
      if (performance.now() >= deadlineMs || signal?.aborted) {
        await this.#request({ action: 'release' }, { timeoutMs: RELEASE_ON_LEAVE_MS }).catch(() => undefined);
        signal?.throwIfAborted();
        throw new TimeoutError(`No one handed over the robot within ${timeoutMs / 1_000} s.`);
      }
      const pauseMs = Math.min(DRIVER_RENEW_MS, Math.max(0, deadlineMs - performance.now()));
      await Promise.race([sleep(pauseMs, signal).catch(() => undefined), woken]);
    }
  }

  /** Runs before the room is left, so that others need not wait until the leave is reported. */
  async leave(): Promise<void> {
    if (this.#held) await atMost(this.#release(this.#held), RELEASE_ON_LEAVE_MS);
    this.#lose({ driver: null, why: 'left' });
  }

  /** Returns null if the request got lost or too many participants ask already; the caller then repeats it. */
  async #askOnce(options: TakeControlOptions, ask: AskOptions): Promise<ControlAnswer | null> {
    try {
      return await this.#request({ action: 'ask', ...aboutSelf(options) }, ask);
    } catch (error) {
      if (error instanceof TimeoutError || error instanceof NotControllerError || ask.signal?.aborted) return null;
      throw error;
    }
  }

  #hold({ driver }: ControlAnswer): ControlLease {
    // For the robot, a second lease of the same session is the same lease.
    const held = this.#held ?? { end: deferred<LeaseEnd>(), identity: driver?.identity ?? null, over: new AbortController() };
    if (this.#held === null) {
      this.#held = held;
      void this.#renew(held);
    }
    const release = (): Promise<void> => this.#release(held);
    const give = (to: string | undefined): Promise<void> => this.#give(to);
    return new ControlLease({ release, give }, held.end.promise);
  }

  async #renew(held: HeldLease): Promise<void> {
    const { signal } = held.over;
    while (!signal.aborted) {
      await sleep(DRIVER_RENEW_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#request({ action: 'renew' }, { timeoutMs: DRIVER_RENEW_MS, signal });
      } catch (error) {
        if (error instanceof NotControllerError) this.#lose({ driver: error.driver, ...howLost(error.details) });
        else if (!(error instanceof TimeoutError || error instanceof RcwRuntimeError) && !signal.aborted) {
          this.#lose({ driver: null, why: null });
        }
      }
    }
  }

  async #release(held: HeldLease): Promise<void> {
    if (this.#held !== held) return;
    const { driver } = await this.#request({ action: 'release' }, { timeoutMs: ANSWER_MS });
    this.#lose({ driver, why: 'released' });
  }

  async #give(to: string | undefined): Promise<void> {
    try {
      const { driver } = await this.#request({ action: 'give', ...(to === undefined ? {} : { to }) }, { timeoutMs: ANSWER_MS });
      this.#lose({ driver, why: 'given' });
    } catch (error) {
      // The call was repeated because the first answer got lost.
      if (!(error instanceof NotControllerError) || to === undefined || error.driver?.identity !== to) throw error;
      this.#lose({ driver: error.driver, why: 'given' });
    }
  }

  #lose(end: LeaseEnd): void {
    const held = this.#held;
    if (held === null) return;
    this.#held = null;
    held.over.abort();
    held.end.resolve(end);
  }

  async #request(payload: Readonly<Record<string, unknown>>, ask: AskOptions): Promise<ControlAnswer> {
    const answer = readControlAnswer(await this.#link.read(CONTROL_METHOD, payload, ask));
    if (answer) return answer;
    throw new RcwRuntimeError(
      'INTERNAL',
      `The reply of the runtime to ${CONTROL_METHOD} is malformed. Check what is in the room.`,
    );
  }

  #hear(text: string): void {
    const event = readRoomEvent(text);
    if (event?.type === 'driver_changed') {
      if (this.#held && event.driver?.identity !== this.#held.identity) {
        const { driver, why, by } = event;
        this.#lose({ driver, why, ...(by === undefined ? {} : { by }) });
      }
      this.#wake.resolve();
      this.#wake = deferred<void>();
      this.#notify('driverChanged', event);
    } else if (event?.type === 'control_asked') this.#notify('controlAsked', event);
    else if (event?.type === 'cancels_repeated') this.#notify('cancelsRepeated', event);
  }

  #notify<K extends keyof Events>(what: K, event: Events[K]): void {
    for (const held of this.#listeners[what]) {
      guardCallback(held as { listener: (event: Events[K]) => void }, 'listener', this.#logger)?.(event);
    }
  }
}

/** Reads how the robot reports that this session lost the lease. */
function howLost({ lost_by: why, by }: Readonly<Record<string, unknown>>): Omit<LeaseEnd, 'driver'> {
  const known = DRIVER_CHANGES.find((change) => change === why) ?? null;
  return { why: known, ...(known !== null && typeof by === 'string' ? { by } : {}) };
}

const aboutSelf = ({ name, kind }: TakeControlOptions) => ({
  ...(name === undefined ? {} : { name }),
  ...(kind === undefined ? {} : { kind }),
});
