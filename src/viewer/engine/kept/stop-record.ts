import { type EmergencyStop, readEmergencyStop } from '../../../runtime/emergency-state.ts';
import type { KeptItems } from '../browser-storage.ts';

/**
 * The browser's records of latched emergency stops, one per robot. A record is separate from the robot's world: it outlives the
 * session, the tab, and a world that does not continue. Only a person's release at the page removes it.
 */
export interface StopRecord {
  /** Returns the stop with which the current robot starts; null when it is not latched. */
  latched(): EmergencyStop | null;
  /**
   * Notes that the tab changes to a robot, whose media server has not accepted it yet.
   * @param robot as `robotOf`; null for none
   * @returns the robot's latched stop
   */
  turnTo(robot: string | null): EmergencyStop | null;
  /** Notes that the media server has accepted the tab as its current robot. @returns the robot's latched stop */
  enter(): EmergencyStop | null;
  /** Notes that the tab is not the robot any more. Another tab may be, so this tab must not clear the record. */
  leave(): void;
  /**
   * Notes that the stop is latched, or that a person at the page has released it (null). @returns whether a latched stop is
   * stored
   */
  note(stop: EmergencyStop | null): boolean;
}

const PREFIX = 'simplesim.stop/';
/** The storage item of an earlier version of the page, one per tab. */
const EARLIER_ITEM = 'simplesim.emergency-stop';
/** A record that cannot be read counts as a latched stop. */
const UNREADABLE: EmergencyStop = {
  by: { kind: 'robot', what: 'the page, which could not read its record of the emergency stop' },
  sinceMs: 0,
  reason: null,
};

/**
 * Creates the record.
 * @param itemsOf the storage of a robot's record: the browser's for a robot in a room, the tab's for the tab's own robot
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
    // A key that no server has accepted may name any robot. It may stop that robot but must not release it.
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
