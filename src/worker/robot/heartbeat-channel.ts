import type { Room } from '@livekit/rtc-node';
import { HEARTBEAT, HEARTBEAT_TOPIC, type HeartbeatChannel } from '../../protocol/room/room-heartbeat.ts';

/** The connection of a room for its heartbeat. */
export function heartbeatChannel(room: Room): HeartbeatChannel {
  return {
    async sendHeartbeat() {
      const self = room.localParticipant;
      await self?.publishData(HEARTBEAT, { reliable: false, destination_identities: [self.identity], topic: HEARTBEAT_TOPIC });
    },
    async received() {
      const { publisherStats, subscriberStats } = await room.getRtcStats();
      const all = new Map<string, number>();
      const answers = new Map<string, number>();
      for (const { stats } of [...publisherStats, ...subscriberStats]) {
        if (stats.case !== 'candidatePair') continue;
        const { rtc, candidatePair } = stats.value;
        const id = rtc?.id ?? '';
        const answered = Number(candidatePair?.responsesReceived ?? 0);
        all.set(id, Number(candidatePair?.packetsReceived ?? 0) + answered);
        answers.set(id, answered);
      }
      return { all, answers };
    },
  };
}
