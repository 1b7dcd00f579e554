import type { Room } from 'livekit-client';
import { HEARTBEAT, HEARTBEAT_TOPIC, type HeartbeatChannel } from '../protocol/room/room-heartbeat.ts';

/** Returns the connection of a room for its heartbeat. */
export function heartbeatChannel(room: Room): HeartbeatChannel {
  return {
    sendHeartbeat() {
      const { identity } = room.localParticipant;
      return room.localParticipant.publishData(HEARTBEAT, {
        reliable: false,
        destinationIdentities: [identity],
        topic: HEARTBEAT_TOPIC,
      });
    },
    async received() {
      const { pcManager } = room.engine;
      const reports = await Promise.all([pcManager?.publisher.getStats(), pcManager?.subscriber?.getStats()]);
      const all = new Map<string, number>();
      const answers = new Map<string, number>();
      reports.forEach((report, connection) => {
        report?.forEach((stats: RTCStats) => {
          if (stats.type !== 'candidate-pair') return;
          const { bytesReceived = 0, responsesReceived = 0 } = stats as RTCIceCandidatePairStats;
          const id = `${connection}/${stats.id}`;
          all.set(id, bytesReceived + responsesReceived);
          answers.set(id, responsesReceived);
        });
      });
      return { all, answers };
    },
  };
}
