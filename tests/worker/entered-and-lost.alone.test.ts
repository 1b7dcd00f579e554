/** A room that is lost at the moment of entry, before the robot can look into it. */
import { EventEmitter } from 'node:events';
import { DisconnectReason } from '@livekit/protocol';
import { expect, it, vi } from 'vitest';
import { openRoom } from '../../src/worker/robot/room.ts';

class RoomThatIsLostAtOnce extends EventEmitter {
  isConnected = false;
  async connect(): Promise<void> {
    this.emit('disconnected', DisconnectReason.DUPLICATE_IDENTITY);
  }
  async disconnect(): Promise<void> {}
}
vi.mock('@livekit/rtc-node', () => ({ Room: RoomThatIsLostAtOnce }));

it('a room that is lost at the moment of entry is reported with the reason, and as never entered', async () => {
  const onDisconnected = vi.fn();
  const ignore = (): void => {};
  const opened = await openRoom(
    { sfuUrl: 'ws://127.0.0.1:9', token: 'token', room: 'room-1', robotId: 'r1' },
    {
      onCall: async () => '{}',
      onMetadata: ignore,
      onPeople: ignore,
      onWatchers: ignore,
      onReconnecting: ignore,
      onSilent: ignore,
      onToken: ignore,
      onDisconnected,
      onNotLoaded: ignore,
    },
  );
  expect(opened).toEqual({ ok: false, aftermath: { kind: 'end', end: 'taken_over' }, sfuSession: null });
  expect(onDisconnected).not.toHaveBeenCalled();
});
