import { PlatformSDKError } from '../../errors.ts';
import type { RoomTransport } from '../../transport.ts';

/**
 * Returns the transport of this engine. Its SDK is loaded only when this function is called.
 * @throws PlatformSDKError when LiveKit's package is not installed
 */
export async function loadTransport(): Promise<RoomTransport> {
  const inNode = typeof process !== 'undefined' && process.versions?.node !== undefined;
  const [load, name] = inNode
    ? ([async () => (await import('./node-transport.ts')).nodeTransport(), '@livekit/rtc-node'] as const)
    : ([async () => (await import('./browser-transport.ts')).browserTransport(), 'livekit-client'] as const);
  try {
    return await load();
  } catch (cause) {
    throw new PlatformSDKError(
      `Joining a room needs the package ${name}, which cannot be loaded. Install it: npm install ${name}`,
      {
        cause,
      },
    );
  }
}
