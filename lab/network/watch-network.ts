/** A watcher's page without the page, behind the line: the age that it shows for its picture, compared with the actual age. */
import { Room } from '@livekit/rtc-node';
import { unpack } from '../../src/protocol/world-stream/packet.ts';
import { WORLD_TOPIC } from '../../src/protocol/world-stream/world-frame.ts';
import { WorldReader } from '../../src/protocol/world-stream/world-reader.ts';
import { freshnessOf, LIVE_WITHIN_MS } from '../../src/viewer/engine/visitor/freshness.ts';
import { createLossMeter } from '../../src/viewer/engine/visitor/loss-meter.ts';
import { createPlayback } from '../../src/viewer/engine/visitor/playback.ts';
import { leaveRoom } from '../../tests/client/helpers/leave-room.ts';
import { figuresOf } from '../statistics.ts';

export interface WatchFigures {
  olderMs: { median: number; p99: number };
  /** Samples that labelled an older picture as live. */
  wrong: number;
  /** Samples that drew an older state than the previous sample. */
  back: number;
  looks: number;
  toldLoss: number;
  trueLoss: number;
}

export interface NetworkWatcher {
  /**
   * Samples the picture of a newly opened page, as the page does, until it is ended.
   * @param wayMs the longest transit of a packet over the line
   */
  look(wayMs: number): () => WatchFigures;
  leave(): Promise<unknown>;
}

const LOOK_EVERY_MS = 50;

/** The share of lost packets between the first and the last that arrived. */
function lossOf(come: ReadonlySet<number>): number {
  const due = Math.max(...come) - Math.min(...come) + 1;
  return 1 - come.size / due;
}

export async function openWatcher(url: string, token: string, runtime: string): Promise<NetworkWatcher> {
  const room = new Room();
  let take = (_bytes: Uint8Array): void => {};
  room.on('dataReceived', (bytes, participant, _kind, topic) => {
    if (topic === WORLD_TOPIC && participant?.identity === runtime) take(bytes);
  });
  await room.connect(url, token, { autoSubscribe: false, dynacast: false });

  function look(wayMs: number): () => WatchFigures {
    const reader = new WorldReader();
    const playback = createPlayback();
    const loss = createLossMeter();
    const older: number[] = [];
    let newestMs = Number.NEGATIVE_INFINITY;
    let drawnS = Number.NEGATIVE_INFINITY;
    let wrong = 0;
    let back = 0;
    const come = new Set<number>();
    const openedAtMs = Date.now();
    take = (bytes) => {
      const nowMs = performance.now();
      come.add(unpack(bytes).packet);
      const frame = reader.take(bytes, nowMs);
      // A newly opened page gets no earlier packets. This participant was there before, and the line may have delayed some.
      if (frame === null || frame.stepTimeMs < openedAtMs) return;
      loss.note(frame, nowMs);
      newestMs = Math.max(newestMs, frame.stepTimeMs);
      playback.take({ state: frame.state, stateTimeMs: frame.stepTimeMs }, nowMs);
    };
    const timer = setInterval(() => {
      const nowMs = performance.now();
      const reportedMs = playback.ageMs(nowMs);
      const drawn = playback.shown(nowMs);
      if (reportedMs === null || drawn === null) return;
      // All processes of one machine share a clock.
      const trueMs = Date.now() - newestMs;
      older.push(trueMs - reportedMs);
      const isCalledLive = freshnessOf(reportedMs) === 'live';
      if (isCalledLive && trueMs > LIVE_WITHIN_MS + wayMs) wrong += 1;
      if (drawn.simTimeS < drawnS) back += 1;
      drawnS = drawn.simTimeS;
    }, LOOK_EVERY_MS);
    return () => {
      clearInterval(timer);
      take = () => {};
      return {
        olderMs: figuresOf(older),
        wrong,
        back,
        looks: older.length,
        toldLoss: loss.share(performance.now()),
        trueLoss: lossOf(come),
      };
    };
  }
  return { look, leave: () => leaveRoom(room) };
}
