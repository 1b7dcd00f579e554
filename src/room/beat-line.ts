import type { Room } from 'livekit-client';
import { BEAT, BEAT_TOPIC, type BeatLine } from '../protocol/room-heartbeat.ts';

/** Returns the connection of a room for its heartbeat. */
export function beatLine(room: Room): BeatLine {
  return {
    beat() {
      const { identity } = room.localParticipant;
      return room.localParticipant.publishData(BEAT, { reliable: false, destinationIdentities: [identity], topic: BEAT_TOPIC });
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
