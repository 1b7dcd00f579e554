import { atMost } from '../wait.ts';

/** The part of `@livekit/rtc-node` that talks to native code: one per process, created on first use. */
interface FfiClient {
  listenerCount(event: string): number;
  off(event: string, listener: unknown): unknown;
}

const EVENT = 'ffi_event';
/** Where the package stores it. */
const holder = globalThis as { _ffiClientInstance?: FfiClient | undefined };
const DISPOSE_ANSWER_MS = 2_000;

let openRooms = 0;
let strayListeners = 0;
let ending: Promise<void> | null = null;

/**
 * Counts the rooms of this library and ends the native part of `@livekit/rtc-node` with the last one, because it would keep the
 * process alive. The package restarts it with the next room. If a program uses the package for its own rooms, their listeners
 * show that, and the native part stays.
 */
export class NativeUse {
  readonly #dispose: () => Promise<void>;
  #begun = false;

  constructor(dispose: () => Promise<void>) {
    this.#dispose = dispose;
  }

  /** Called before a room is joined: waits while the native part ends, and keeps it alive from then on. */
  async begin(): Promise<void> {
    while (ending !== null) await ending;
    if (this.#begun) return;
    this.#begun = true;
    openRooms += 1;
  }

  /**
   * Called after a room was left.
   * @param room as the package made it
   * @param isAnswered false if the package still waits for the answer to leaving, with a listener that stays forever
   */
  async end(room: object, isAnswered: boolean): Promise<void> {
    if (!this.#begun) return;
    this.#begun = false;
    openRooms -= 1;
    if (!isAnswered) strayListeners += 1;
    // The package leaks this listener of a room that the server ended, once per room.
    if ('onFfiEvent' in room) holder._ffiClientInstance?.off(EVENT, room.onFfiEvent);
    const client = holder._ffiClientInstance;
    if (openRooms > 0 || ending || !client || client.listenerCount(EVENT) > strayListeners) return;
    holder._ffiClientInstance = undefined;
    strayListeners = 0;
    ending = atMost(this.#dispose(), DISPOSE_ANSWER_MS).finally(() => {
      ending = null;
    });
    await ending;
  }
}
