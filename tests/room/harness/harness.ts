import type { RoomEvent } from '../../../src/protocol/room/room-events.ts';
import { encodeRoomKey, type RoomKey, readRoomKey } from '../../../src/protocol/room/room-key.ts';
import type { WatcherUpdate } from '../../../src/protocol/world-stream/audience.ts';
import { createBrowserRoom } from '../../../src/room/browser-room.ts';
import type { ConnectionState, RoomParticipant } from '../../../src/room/connection-state.ts';

/** The test’s access from outside: the room of a real page, with a runtime that only echoes. */
export interface RoomHarness {
  join(key: string, takeOver: boolean): void;
  leave(): Promise<void>;
  states: ConnectionState[];
  participants: RoomParticipant[];
  /** Keys that the server extended. */
  keys: string[];
  /** Identities of participants that left. */
  left: string[];
  /** The reasons why the tab was unreachable, with null for each time that it was reachable again. */
  reach: (string | null)[];
  calls: number;
  sendEvent(event: RoomEvent): void;
  watchers: WatcherUpdate[];
  /** Sends a packet to the viewers. */
  show(bytes: number[]): void;
}

const harness: RoomHarness = {
  states: [],
  participants: [],
  keys: [],
  left: [],
  sendEvent: (event) => room.sendEvent(event),
  reach: [],
  calls: 0,
  watchers: [],
  show: (bytes) => room.sendWorld([new Uint8Array(bytes)]),
  join(pasted, takeOver) {
    room.join(keyOf(pasted), { takeOver });
  },
  leave: () => room.leave(),
};

const room = createBrowserRoom({
  onKey: (key) => harness.keys.push(encodeRoomKey(key)),
  onMetadata: () => {},
  onLeft: (identity) => harness.left.push(identity),
  onOutOfReach: (why) => harness.reach.push(why),
  async onCall({ method, payload, callerIdentity, requestId }) {
    harness.calls += 1;
    const asked = JSON.parse(payload) as { fail?: boolean; pictureBytes?: number; bytes?: number };
    if (asked.fail) throw new Error('a secret of the handler');
    if (asked.pictureBytes !== undefined) {
      await room.sendJpeg({
        bytes: new Uint8Array(asked.pictureBytes).map((_, index) => index % 251),
        topic: 'platform.camera_capture',
        name: requestId,
        attributes: { request_id: requestId, camera: 'pov' },
        destinationIdentity: callerIdentity,
      });
    }
    return JSON.stringify({ method, callerIdentity, requestId, filler: 'x'.repeat(asked.bytes ?? 0) });
  },
  onState: (state) => harness.states.push(state),
  onWatchers: (update) => harness.watchers.push(update),
  onParticipants: (participants) => {
    harness.participants = participants;
  },
});

function keyOf(pasted: string): RoomKey {
  const read = readRoomKey(pasted, { nowMs: Date.now(), pageProtocol: location.protocol });
  if (!read.ok) throw new Error(read.message);
  return read.key;
}

Object.assign(window, { harness });
