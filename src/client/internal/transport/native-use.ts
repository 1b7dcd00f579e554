import { atMost } from '../wait.ts';

/** The part of `@livekit/rtc-node` that talks to native code; one for a process, made on first use. */
interface FfiClient {
  listenerCount(event: string): number;
  off(event: string, listener: unknown): unknown;
}

const EVENT = 'ffi_event';
/** Where the package keeps it. */
const holder = globalThis as { _ffiClientInstance?: FfiClient | undefined };
const DISPOSE_ANSWER_MS = 2_000;

let openRooms = 0;
let strayListeners = 0;
let ending: Promise<void> | null = null;

/**
 * Counts the rooms of this library and ends the native part of `@livekit/rtc-node` with the last of them; otherwise it keeps a process
 * alive for ever. It comes back by itself with the next room. A program that uses the package for rooms of its own is left alone: their
 * listeners show.
 */
export class NativeUse {
  readonly #dispose: () => Promise<void>;
  #begun = false;

  constructor(dispose: () => Promise<void>) {
    this.#dispose = dispose;
  }

  /** Before a room is joined: waits while the native part ends, and holds it from then on. */
  async begin(): Promise<void> {
    while (ending !== null) await ending;
    if (this.#begun) return;
    this.#begun = true;
    openRooms += 1;
  }

  /**
   * After a room was left.
   * @param room as the package made it
   * @param isAnswered false when the package still waits for the answer to leaving, by a listener that stays for ever
   */
  async end(room: object, isAnswered: boolean): Promise<void> {
    if (!this.#begun) return;
    this.#begun = false;
    openRooms -= 1;
    if (!isAnswered) strayListeners += 1;
    // The package forgets this listener of a room that the server ended: a leak that grows with every room.
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
