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
  /** The tab is the robot no more: another tab may be, and its record is not this tab's to clear. */
  leave(): void;
  /** The stop is latched, or a person at the page has released it (null). @returns whether a latched stop is kept */
  note(stop: EmergencyStop | null): boolean;
}

const PREFIX = 'simplesim.stop/';
/** What an earlier version of the page noted for its tab. */
const EARLIER_ITEM = 'simplesim.emergency-stop';
/** A record that cannot be read counts as a latched stop. */
const UNREADABLE: EmergencyStop = {
  by: { kind: 'robot', what: 'the page, which could not read its record of the emergency stop' },
  sinceMs: 0,
  reason: null,
};

/**
 * @param itemsOf the storage of a robot's record: that of the browser for a robot in a room, that of the tab for the tab's own
 * @param tab the storage of this tab, in which an earlier version of the page noted the stop of its robot
 */
export function createStopRecord(itemsOf: (robot: string) => KeptItems, tab: KeptItems): StopRecord {
  let robot: string | null = null;
  let isAccepted = false;
  let latched: EmergencyStop | null = null;

  function read(): EmergencyStop | null {
    const text = robot === null ? null : itemsOf(robot).get(PREFIX + robot);
    return text === null ? null : (readEmergencyStop(text) ?? UNREADABLE);
  }

  function note(stop: EmergencyStop | null): boolean {
    latched = stop;
    if (robot === null) return true;
    // A key that no server has accepted may name any robot: it may stop that one, and must not release it.
    if (stop === null && !isAccepted) return true;
    return itemsOf(robot).set(PREFIX + robot, stop && JSON.stringify(stop)) || stop === null;
  }

  return {
    latched: () => latched,
    turnTo(next) {
      if (next === robot) return latched;
      robot = next;
      isAccepted = false;
      latched = read();
      if (robot !== null && tab.get(EARLIER_ITEM) !== null && note(latched ?? UNREADABLE)) tab.set(EARLIER_ITEM, null);
      return latched;
    },
    leave() {
      isAccepted = false;
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
