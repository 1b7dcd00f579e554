import { COMING_MS, NOBODY_WATCHES, type WatcherUpdate } from '../../protocol/world-stream/audience.ts';
import { type WorldPacket, type WorldSnapshot, WorldStreamError } from '../../protocol/world-stream/world-frame.ts';
import { WorldWriter } from '../../protocol/world-stream/world-writer.ts';

export interface WorldStreamDeps {
  /** Returns the current world; called only while there are viewers. */
  snapshot(): WorldSnapshot;
  send(packets: WorldPacket[]): void;
  monotonicMs(): number;
  /** An integer that differs from those of all earlier runs of this robot. */
  streamId: number;
}

/** Sends a runtime's world to its viewers, and is idle without viewers. */
export interface WorldStream {
  note(update: WatcherUpdate): void;
  /** Sends the due packets. Call between two steps. */
  sendDue(): void;
}

/** Creates the stream of the world to its viewers. Without viewers it allocates nothing. */
export function createWorldStream({ snapshot, send, monotonicMs, streamId }: WorldStreamDeps): WorldStream {
  const writer = new WorldWriter(streamId);
  let { present } = NOBODY_WATCHES;
  let comingUntilMs = Number.NEGATIVE_INFINITY;
  return {
    note(update) {
      present = update.present;
      if (update.isComing) comingUntilMs = monotonicMs() + COMING_MS;
      if (update.isNew) writer.beginAnew();
    },
    sendDue() {
      const nowMs = monotonicMs();
      if ((!present && nowMs >= comingUntilMs) || !writer.isDue(nowMs)) return;
      try {
        const packets = writer.write(snapshot(), nowMs);
        if (packets.length > 0) send(packets);
      } catch (error) {
        // A broken world cannot be shown; viewers see that their picture is old.
        if (!(error instanceof WorldStreamError)) throw error;
      }
    },
  };
}
