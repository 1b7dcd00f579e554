/** A failing send of LiveKit’s engine whose promise is not awaited. */
import { Room } from 'livekit-client';
import { expect, it } from 'vitest';
import { handleForgottenSends } from '../../src/protocol/room/forgotten-sends.ts';

/** The rejections without a handler while `act` ran, as Node reports them. */
async function unhandledIn(act: () => void): Promise<string[]> {
  const messages: string[] = [];
  const note = (reason: unknown): void => void messages.push(String(reason));
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
  try {
    act();
    // Node reports them after the microtasks of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    return messages;
  } finally {
    process.off('unhandledRejection', note);
    for (const other of others) process.on('unhandledRejection', other);
  }
}

const call = { destinationIdentity: 'simplesim:r1', method: 'runtime.state', payload: '{}' };

it('a call over a closed connection is an unhandled rejection of LiveKit itself', async () => {
  const room = new Room();
  expect(await unhandledIn(() => void room.localParticipant.performRpc(call).catch(() => undefined))).not.toEqual([]);
});

it('a call over a closed connection leaves no unhandled rejection', async () => {
  const room = new Room();
  handleForgottenSends(room.engine);
  expect(await unhandledIn(() => void room.localParticipant.performRpc(call).catch(() => undefined))).toEqual([]);
});

it('a caller that keeps the promise of a send still receives its failure', async () => {
  const engine = { sendDataPacket: async (_packet: string, _kind: number) => Promise.reject(new Error('closed')) };
  handleForgottenSends(engine);
  await expect(engine.sendDataPacket('packet', 1)).rejects.toThrow('closed');
});
