import { Room } from '@livekit/rtc-node';
import { WORLD_TOPIC, type WorldFrame } from '../../../src/protocol/world-stream/world-frame.ts';
import { WorldReader } from '../../../src/protocol/world-stream/world-reader.ts';

/** A viewer without a page: a participant in the room, with the frames that it receives. */
export interface Watcher {
  readonly room: Room;
  readonly frames: WorldFrame[];
  /** Packets of any topic, with their senders. */
  readonly packets: { topic: string; identity: string | null; bytes: Uint8Array }[];
  /** Returns the first matching frame among those received and those still to come. */
  seen(fits: (frame: WorldFrame) => boolean): Promise<WorldFrame>;
  leave(): Promise<void>;
}

/** Joins as a viewer of a robot. @param runtime identity of the robot's runtime: only packets from it are its world */
export async function watch(sfuUrl: string, token: string, runtime: string): Promise<Watcher> {
  const room = new Room();
  const reader = new WorldReader();
  const frames: WorldFrame[] = [];
  const packets: Watcher['packets'] = [];
  const waiting = new Set<(frame: WorldFrame) => void>();
  room.on('dataReceived', (bytes, participant, _kind, topic = '') => {
    packets.push({ topic, identity: participant?.identity ?? null, bytes });
    if (topic !== WORLD_TOPIC || participant?.identity !== runtime) return;
    const frame = reader.take(bytes, performance.now());
    if (frame === null) return;
    frames.push(frame);
    for (const look of [...waiting]) look(frame);
  });
  await room.connect(sfuUrl, token, { autoSubscribe: false, dynacast: false });
  return {
    room,
    frames,
    packets,
    seen(fits) {
      const found = frames.find(fits);
      if (found) return Promise.resolve(found);
      return new Promise((resolve) => {
        const look = (frame: WorldFrame): void => {
          if (!fits(frame)) return;
          waiting.delete(look);
          resolve(frame);
        };
        waiting.add(look);
      });
    },
    leave: () => room.disconnect(),
  };
}
