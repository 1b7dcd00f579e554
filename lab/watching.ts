/**
 * A process of watchers. It is commanded over the channel of `fork`, and ends with it. LiveKit's package for Node sometimes
 * crashes when many rooms are left, and that must not end the bench.
 */
import { Room } from '@livekit/rtc-node';
import { WORLD_TOPIC } from '../src/protocol/world-stream/world-frame.ts';
import { WorldReader } from '../src/protocol/world-stream/world-reader.ts';
import { WorldWriter } from '../src/protocol/world-stream/world-writer.ts';

/** The totals that all watchers of the process received in one window. */
export interface Seen {
  agesMs: number[];
  bytes: number;
  /** The size of the same states if each were sent in full. */
  wholeBytes: number;
}

export type ToWatching =
  | { kind: 'join'; url: string; tokens: string[]; runtime: string }
  | { kind: 'look'; windowMs: number }
  | { kind: 'leave' };
/** `problem` is null if it went well. */
export type FromWatching = { kind: 'done'; problem: string | null; seen: Seen | null };

const rooms: Room[] = [];
let seen: Seen | null = null;

async function join(url: string, token: string, runtime: string): Promise<void> {
  const room = new Room();
  const isFirst = rooms.length === 0;
  rooms.push(room);
  const reader = new WorldReader();
  room.on('dataReceived', (bytes, participant, _kind, topic) => {
    const nowMs = Date.now();
    if (topic !== WORLD_TOPIC || participant?.identity !== runtime) return;
    const frame = reader.take(bytes, performance.now());
    if (seen === null) return;
    seen.bytes += bytes.length;
    if (frame === null) return;
    // All processes of one machine share a clock.
    seen.agesMs.push(nowMs - frame.stepTimeMs);
    // All watchers get the same states, so one of them reports the size of whole states for all.
    if (isFirst) for (const packet of new WorldWriter(1).write(frame, 0)) seen.wholeBytes += packet.length;
  });
  await room.connect(url, token, { autoSubscribe: false, dynacast: false });
}

async function look(windowMs: number): Promise<Seen> {
  const looked: Seen = { agesMs: [], bytes: 0, wholeBytes: 0 };
  seen = looked;
  await new Promise((resolve) => setTimeout(resolve, windowMs));
  seen = null;
  return { ...looked, wholeBytes: looked.wholeBytes * rooms.length };
}

async function obey(message: ToWatching): Promise<Seen | null> {
  switch (message.kind) {
    case 'join':
      await Promise.all(message.tokens.map((token) => join(message.url, token, message.runtime)));
      return null;
    case 'look':
      return look(message.windowMs);
    case 'leave':
      for (const room of rooms.splice(0)) await room.disconnect();
      return null;
  }
}

process.on('message', (message: ToWatching) => {
  const post = (answer: FromWatching): void => void process.send?.(answer);
  obey(message).then(
    (found) => post({ kind: 'done', problem: null, seen: found }),
    (thrown) => post({ kind: 'done', problem: String(thrown), seen: null }),
  );
});
process.on('disconnect', () => process.exit(0));
