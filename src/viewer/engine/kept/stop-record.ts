import { type EmergencyStop, readEmergencyStop } from '../../../runtime/emergency-state.ts';
import type { KeptItems } from '../browser-storage.ts';

/**
 * The browser's records of latched emergency stops, one for each robot. A record is apart from the robot's world: it outlives the
 * session, the tab and a world that does not continue. Only a person's release at the page removes it.
 */
export interface StopRecord {
  /** The stop that the present robot starts with; null when it is not latched. */
  latched(): EmergencyStop | null;
  /**
   * The tab turns to a robot, whose media server has not accepted it yet.
   * @param robot as `robotOf`; null for none
   * @returns the robot's latched stop
   */
  turnTo(robot: string | null): EmergencyStop | null;
  /** The media server has accepted the tab as the robot that it has turned to. @returns the robot's latched stop */
  enter(): EmergencyStop | null;
  /** The stop is latched, or a person at the page has released it (null). */
  note(stop: EmergencyStop | null): void;
}

const PREFIX = 'simplesim.stop/';
/** A record that cannot be read counts as a latched stop. */
const UNREADABLE: EmergencyStop = {
  by: { kind: 'robot', what: 'the page, which could not read its record of the emergency stop' },
  sinceMs: 0,
  reason: null,
};

/** @param itemsOf the storage of a robot's record: that of the browser for a robot in a room, that of the tab for the tab's own */
export function createStopRecord(itemsOf: (robot: string) => KeptItems): StopRecord {
  let robot: string | null = null;
  let isAccepted = false;
  let latched: EmergencyStop | null = null;

  function read(): EmergencyStop | null {
    const text = robot === null ? null : itemsOf(robot).get(PREFIX + robot);
    return text === null ? null : (readEmergencyStop(text) ?? UNREADABLE);
  }

  function write(text: string | null): void {
    if (robot !== null) itemsOf(robot).set(PREFIX + robot, text);
  }

  function note(stop: EmergencyStop | null): void {
    latched = stop;
    // A key that no server has accepted may name any robot: it may stop that one, and must not release it.
    if (stop !== null || isAccepted) write(stop && JSON.stringify(stop));
  }

  return {
    latched: () => latched,
    turnTo(next) {
      if (next === robot) return latched;
      robot = next;
      isAccepted = false;
      latched = read();
      return latched;
    },
    enter() {
      isAccepted = true;
      // Another tab may have been this robot in the meantime.
      const found = read();
      if (found) latched = found;
      else if (latched) note(latched);
      return latched;
    },
    note,
  };
}
