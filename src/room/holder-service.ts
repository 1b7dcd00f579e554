import type { RobotHolder } from '../protocol/room/holder-question.ts';
import type { RoomKey } from '../protocol/room/room-key.ts';

/** A platform that knows who is its robots. */
export interface HolderService {
  /**
   * Asks for another holder of the robot of a key; null if the platform does not answer.
   * @param waits whether this page does not join after the question
   */
  ask(key: RoomKey, waits?: boolean): Promise<PlatformHolder | null>;
  /** Reports that this page goes away. Nothing waits for it. */
  reportLeft(key: RoomKey): void;
  /** The whole address that takes reports: a worker sends them, whose own address is another. */
  readonly reportUrl: string;
  /** The text that reports that this page is busy; null before the first question. */
  busyReport(key: RoomKey): string | null;
}

/** The platform's answer: another holder of the robot, and the same key with this tab's attributes, which identify it to others. */
export interface PlatformHolder {
  holder: RobotHolder | null;
  key: RoomKey;
}
