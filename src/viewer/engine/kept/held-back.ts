import { isAlwaysTaken } from '../../../runtime/host/always-taken.ts';
import type { HostMessage } from '../../../runtime/host/simulation-host.ts';

/** Messages to a world, which wait while another one may take its place. */
export interface HeldBack {
  /** What comes from now on waits. */
  hold(): void;
  /** It comes now, in the order in which it was sent. */
  letGo(): void;
  take(message: HostMessage): void;
}

/**
 * The world runs on while a browser is slow to say what it has kept, so what stops the robot waits for nothing. It comes again in its place:
 * a command that was sent before it must not set the robot going after it.
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
