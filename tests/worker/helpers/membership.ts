import type { LogEntry } from '../../../src/worker/log.ts';
import { type Membership, openMembership } from '../../../src/worker/robot/membership.ts';
import type { FreshKey } from '../../../src/worker/robot-messages.ts';

/** A robot's membership in its room without the robot itself, with its log. */
export interface WatchedMembership extends Membership {
  readonly log: LogEntry[];
  joins(): number;
  /** Waits for the first entry of this name, and returns it. */
  logged(event: string): Promise<LogEntry>;
  /** Settles when the membership has joined this many times. */
  joined(times: number): Promise<void>;
}

/** @param fresh the key that the robot's worker supplies for each rejoin. @default the worker has no key to supply */
export function watchMembership(sfuUrl: string, token: string, robotId = 'r1', fresh: FreshKey | null = null): WatchedMembership {
  const log: LogEntry[] = [];
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const ignore = (): void => {};
  let joins = 0;
  const membership = openMembership(
    { sfuUrl, token, room: `room-${robotId}`, robotId },
    {
      onCall: async () => '{}',
      onMetadata: ignore,
      onLeft: () => undefined,
      onWatchers: ignore,
      onJoined() {
        joins += 1;
        wake();
      },
      onReachable: ignore,
      onLost: ignore,
      freshKey: async () => fresh,
      renewsKeys: fresh !== null,
      log(entry) {
        log.push(entry);
        wake();
      },
    },
  );
  const once = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const tryIt = (): void => {
        const found = look();
        if (found === undefined) return;
        listeners.delete(tryIt);
        resolve(found);
      };
      listeners.add(tryIt);
      tryIt();
    });
  return {
    ...membership,
    log,
    joins: () => joins,
    logged: (event) => once(() => log.find((entry) => entry.event === event)),
    joined: async (times) => void (await once(() => (joins >= times ? true : undefined))),
  };
}
