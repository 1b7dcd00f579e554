import { watchPageLife } from './page-life.ts';
import { probeSfu } from './probe.ts';
import { createRoomManager, type RoomManager, type RoomManagerDeps } from './room-manager.ts';
import { giveLiveKitTimers, openSession } from './session.ts';
import { createTabLock } from './tab-lock.ts';
import { createWorkerTimers } from './worker-timers.ts';

/**
 * Creates the room of a real page: LiveKit, Web Locks, a worker's timers. It loads livekit-client, so import it only when needed.
 */
export function createBrowserRoom(
  events: Pick<
    RoomManagerDeps,
    'onCall' | 'onState' | 'onParticipants' | 'onLeft' | 'onWatchers' | 'onKey' | 'onMetadata' | 'onOutOfReach' | 'holders'
  >,
): RoomManager {
  const timers = createWorkerTimers();
  giveLiveKitTimers(timers);
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => timers.setTimeout(resolve, ms));
  const manager = createRoomManager({
    ...events,
    openSession,
    probe: probeSfu,
    createLock: (onStolen) => createTabLock(browserLocks(), sleep, onStolen),
    watchPage: (handlers) => watchPageLife(handlers, { window, document }),
    timers,
    isOnline: () => navigator.onLine,
    nowMs: () => Date.now(),
  });
  return {
    ...manager,
    dispose() {
      manager.dispose();
      timers.dispose();
    },
  };
}

/** Returns the browser's locks; nothing where it has none for this page, or blocks them. */
function browserLocks(): LockManager | undefined {
  try {
    return navigator.locks;
  } catch {
    return undefined;
  }
}
