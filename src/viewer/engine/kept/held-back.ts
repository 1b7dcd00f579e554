import { isAlwaysTaken } from '../../../runtime/host/always-taken.ts';
import type { HostMessage } from '../../../runtime/host/simulation-host.ts';

/** Holds back messages to a world while another world may replace it. */
export interface HeldBack {
  /** Holds back every message from now on. */
  hold(): void;
  /** Delivers the held messages in the order in which they were sent. */
  letGo(): void;
  take(message: HostMessage): void;
}

/**
 * Creates the queue. The world keeps running while a slow browser reads its storage, so messages that stop the robot are
 * delivered at once. They are also repeated in their place, so that an earlier command does not restart the robot afterwards.
 */
export function createHeldBack(deliver: (message: HostMessage) => void): HeldBack {
  let waiting: HostMessage[] | null = null;
  return {
    hold() {
      waiting ??= [];
    },
    letGo() {
      const waited = waiting ?? [];
      waiting = null;
      for (const message of waited) deliver(message);
    },
    take(message) {
      if (waiting === null || isStop(message)) deliver(message);
      waiting?.push(message);
    },
  };
}

function isStop(message: HostMessage): boolean {
  if (message.kind === 'call') return isAlwaysTaken(message.method, message.payload);
  return message.kind === 'cancel-active' || (message.kind === 'emergency-stop' && message.latched);
}
