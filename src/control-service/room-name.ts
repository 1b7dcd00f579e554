/** Rooms are named after their robots, so that the name of a room leads to its robot without the database. */

const SUFFIX_BYTES = 6;
const ROOM = /^robot-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})-[\da-f]+$/;

/** Returns the name of a new room. It is unique, so that credentials of an earlier session do not open a later one. */
export const newRoomName = (robotId: string, randomBytes: (count: number) => Uint8Array): string =>
  `robot-${robotId}-${Buffer.from(randomBytes(SUFFIX_BYTES)).toString('hex')}`;

/** Returns the robot whose room has this name; null for the name of any other room. */
export const robotOfRoom = (room: string): string | null => ROOM.exec(room)?.[1] ?? null;
