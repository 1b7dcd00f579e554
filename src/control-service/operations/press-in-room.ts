import { isRecord } from '../../common/schema-texts.ts';
import { type PressInRoom, pressOf } from '../../protocol/wire/emergency-stop.ts';
import type { ServiceDeps } from '../deps.ts';
import type { StopRow } from './unstored-stop.ts';

/** Returns a latched stop in the form that the metadata of a room contains. */
export const pressInRoom = ({ pressId, pressedBy, reason, since }: StopRow): PressInRoom => ({
  press_id: pressId,
  by: pressedBy,
  since_ms: since.getTime(),
  reason,
});

/**
 * Writes a press into the metadata of the room of its robot, without the database. The first presser and their reason stay.
 * @returns whether the SFU has the room, and this service made it for the robot
 */
export const markRoom = ({ sfu }: Pick<ServiceDeps, 'sfu'>, room: string, stop: StopRow): Promise<boolean> =>
  sfu.changeMetadata(room, (metadata) =>
    changed(metadata, stop.robotId, (before) => ({
      ...before,
      emergency_stop: { ...pressInRoom(stop), ...firstOf(metadata) },
    })),
  );

/** Removes a press from the metadata of a room; another press stays. */
export const unmarkRoom = ({ sfu }: Pick<ServiceDeps, 'sfu'>, room: string, stop: StopRow): Promise<boolean> =>
  sfu.changeMetadata(room, (metadata) =>
    changed(metadata, stop.robotId, ({ emergency_stop: _press, ...rest }) =>
      pressOf(metadata)?.press_id === stop.pressId ? rest : null,
    ),
  );

function firstOf(metadata: string): Partial<PressInRoom> {
  const first = pressOf(metadata);
  return first === null ? {} : { by: first.by, since_ms: first.since_ms, reason: first.reason };
}

type Metadata = Record<string, unknown>;

/** @returns the new metadata; null if there is nothing to change, or the metadata is not of this robot */
function changed(metadata: string, robotId: string, change: (before: Metadata) => Metadata | null): string | null {
  let before: unknown;
  try {
    before = JSON.parse(metadata);
  } catch {
    return null;
  }
  if (!isRecord(before) || before.robot_id !== robotId) return null;
  const after = change(before);
  return after && JSON.stringify(after);
}
