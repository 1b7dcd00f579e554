import type { RoomTransport } from './room-transport.ts';

/** The transport of this engine; its SDK is loaded now and not before. */
export async function loadTransport(): Promise<RoomTransport> {
  if (inNode()) {
    const { nodeTransport } = await import('./node-transport.ts');
    return nodeTransport();
  }
  const { browserTransport } = await import('./browser-transport.ts');
  return browserTransport();
}

/**
 * Lets a Node program end by itself: the native part of `@livekit/rtc-node` keeps a process alive for ever once a room was joined.
 * For the end of a program, after the last `disconnect`; no room can be joined after it. Does nothing in browsers.
 */
export async function shutdownRealtime(): Promise<void> {
  if (!inNode()) return;
  const { disposeNode } = await import('./node-transport.ts');
  await disposeNode();
}

const inNode = (): boolean => typeof process !== 'undefined' && process.versions?.node !== undefined;
