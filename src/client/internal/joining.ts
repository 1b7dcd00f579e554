import type { ConnectCallbacks } from '../connect-options.ts';
import { PlatformConnectionError, TimeoutError } from '../errors.ts';
import type { Logger } from '../options.ts';
import { guardCallback } from './guard-callback.ts';
import type { RoomEvents } from './room-link.ts';
import { roomHint } from './settings.ts';

/** Defaults of `connect` and `joinRoom`. */
export const DEFAULT_PREFIX = 'simplesim';
export const DEFAULT_CALL_TIMEOUT_MS = 60_000;
export const JOIN_TIMEOUT_MS = 30_000;

/** Returns the events of a room, for the callbacks of a program. */
export const roomEvents = (callbacks: ConnectCallbacks, logger: Logger): RoomEvents => ({
  runtimeJoined: guardCallback(callbacks, 'onRuntimeJoined', logger),
  runtimeLeft: guardCallback(callbacks, 'onRuntimeLeft', logger),
  reconnecting: guardCallback(callbacks, 'onReconnecting', logger),
  reconnected: guardCallback(callbacks, 'onReconnected', logger),
  disconnected: guardCallback(callbacks, 'onDisconnected', logger),
});

/** Returns the error of a failed join. It does not repeat the SDK's own text, because an address in it may contain the token. */
export function joinError(error: unknown, livekitUrl: string, signal?: AbortSignal): unknown {
  if (signal?.aborted || error instanceof TimeoutError) return error;
  return new PlatformConnectionError(
    `The room at ${livekitUrl} could not be joined. Check that this machine reaches that address.${roomHint(livekitUrl)}`,
  );
}
