import { COMING_MS, NOBODY_WATCHES, type WatcherNews } from '../../protocol/world-stream/audience.ts';
import { type WorldPacket, type WorldSnapshot, WorldStreamError } from '../../protocol/world-stream/world-frame.ts';
import { WorldWriter } from '../../protocol/world-stream/world-writer.ts';

export interface WorldStreamDeps {
  /** The world as it is now; asked only while somebody watches. */
  snapshot(): WorldSnapshot;
  send(packets: WorldPacket[]): void;
  monotonicMs(): number;
  /** A whole number that no earlier run of this robot had. */
  streamId: number;
}

/** Shows a runtime's world to those who watch it, and does nothing while nobody does. */
export interface WorldStream {
  note(news: WatcherNews): void;
  /** Between two steps: sends what is due. */
  tell(): void;
}

/** Makes the stream of the world to those who watch; nothing is laid out while nobody does. */
export function createWorldStream({ snapshot, send, monotonicMs, streamId }: WorldStreamDeps): WorldStream {
  const writer = new WorldWriter(streamId);
  let { present } = NOBODY_WATCHES;
  let comingUntilMs = Number.NEGATIVE_INFINITY;
  return {
    note(news) {
      present = news.present;
      if (news.isComing) comingUntilMs = monotonicMs() + COMING_MS;
      if (news.isNew) writer.beginAnew();
    },
    tell() {
      const nowMs = monotonicMs();
      if ((!present && nowMs >= comingUntilMs) || !writer.isDue(nowMs)) return;
      try {
        const packets = writer.write(snapshot(), nowMs);
        if (packets.length > 0) send(packets);
      } catch (error) {
        // A world that broke has nothing to show; those who watch see that it is old.
        if (!(error instanceof WorldStreamError)) throw error;
      }
    },
  };
}
