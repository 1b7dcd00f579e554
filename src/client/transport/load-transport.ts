import type { RoomTransport } from './room-transport.ts';

/** The transport of this engine; its SDK is loaded now and not before. */
export async function loadTransport(): Promise<RoomTransport> {
  if (typeof process !== 'undefined' && process.versions?.node !== undefined) {
    const { nodeTransport } = await import('./node-transport.ts');
    return nodeTransport();
  }
  const { browserTransport } = await import('./browser-transport.ts');
  return browserTransport();
}
