import type { emergencyStops } from '../db/schema.ts';

/** A stored latched stop. */
export type StopRow = typeof emergencyStops.$inferSelect;

/** The right by which a stop is pressed: that of the robot's owner, or of a link to the room of its open session. */
export type PressRight = { accountId: string } | { room: string };

/** A press that is not in the database yet. */
export interface UnstoredStop {
  readonly stop: StopRow;
  /** The room to inform; null for a robot without a session. */
  readonly room: string | null;
  readonly right: PressRight;
  /** Whether the right was confirmed when it was pressed. If not, the press is stored only if the right exists. */
  isSure: boolean;
  /** Whether an attempt was made before: a later press may be stored meanwhile. */
  wasTried: boolean;
  /** Whether a person has released it at the robot. It is then not stored, even by an attempt under way. */
  isReleased: boolean;
  /** The current attempt. */
  storing: Promise<void> | null;
  /** How it ended: stored, with its row; or rejected, because its presser had no right to it. */
  outcome: { row: StopRow } | 'refused' | null;
}
