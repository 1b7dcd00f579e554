import { watchPageLife } from './page-life.ts';
import { probeSfu } from './probe.ts';
import { giveLiveKitTimers } from './session.ts';
import { createVisitorRoom, type VisitorRoom, type VisitorRoomDeps } from './visitor-room.ts';
import { openVisitorSession } from './visitor-session.ts';
import { createWorkerTimers } from './worker-timers.ts';

/** Creates the way into a room of a real page that is not the robot. It loads livekit-client, so import it only when needed. */
export function createBrowserVisitorRoom(
  events: Pick<VisitorRoomDeps, 'onState' | 'onParticipants' | 'onMetadata' | 'onData' | 'onPicture' | 'askPlace'>,
): VisitorRoom {
  const timers = createWorkerTimers();
  giveLiveKitTimers(timers);
  const room = createVisitorRoom({
    ...events,
    openSession: openVisitorSession,
    probe: probeSfu,
    watchPage: (handlers) => watchPageLife(handlers, { window, document }),
    after(ms, act) {
      const timer = timers.setTimeout(act, ms);
      return () => timers.clear(timer);
    },
    sleep: (ms) => new Promise((resolve) => void timers.setTimeout(resolve, ms)),
    isOnline: () => navigator.onLine,
    nowMs: () => Date.now(),
  });
  return {
    ...room,
    dispose() {
      room.dispose();
      timers.dispose();
    },
  };
}
