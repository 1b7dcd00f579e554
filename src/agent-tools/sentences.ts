import { quoted, shownId } from '../protocol/shown-text.ts';
import type { RobotFacts } from './robot-facts.ts';

/** Returns an id of the scene or of a caller for a sentence. Its author may have chosen any text. */
export const idText = (id: unknown): string => quoted(shownId(String(id)).slice(0, 80));

/** Returns a list of ids for a sentence. */
const idList = (ids: readonly string[]): string => (ids.length === 0 ? 'nothing' : ids.map(idText).join(', '));

/** Returns where the robot is, what it holds, and whether it moves. */
export function poseText({ pose, held, isMoving }: Pick<RobotFacts, 'pose' | 'held' | 'isMoving'>): string {
  const where = `at x ${metres(pose.x)}, y ${metres(pose.y)}, heading ${pose.yaw_deg.toFixed(0)}°`;
  return `The robot ${isMoving ? 'moves' : 'stands'} ${where} and holds ${idList(held)}.`;
}

export const metres = (value: number): string => `${value.toFixed(2)} m`;
