import { clipped, quoted, shownId, shownLine } from '../common/shown-text.ts';
import type { EmergencyFacts, RobotFacts } from './robot-facts.ts';

/** Returns an id of the scene or of a caller for a sentence. Its author may have chosen any text. */
export const idText = (id: unknown): string => {
  const text = typeof id === 'string' ? id : (JSON.stringify(id) ?? 'without an id');
  return quoted(shownId([...text.slice(0, 2 * ID_MAX_CHARS)].slice(0, ID_MAX_CHARS).join('')));
};

/** Returns what is wrong with an input, on one line. It may quote thousands of unknown keys. */
export const issueText = ({ message }: { message: string }): string => clipped(shownLine(message), ISSUE_MAX_CHARS);

const ID_MAX_CHARS = 80;
const ISSUE_MAX_CHARS = 160;

/** Returns a list of ids for a sentence. */
const idList = (ids: readonly string[]): string => (ids.length === 0 ? 'nothing' : ids.map(idText).join(', '));

/** Returns where the robot is, what it holds, and whether it moves. */
export function poseText({ pose, held, isMoving }: Pick<RobotFacts, 'pose' | 'held' | 'isMoving'>): string {
  const where = `at x ${metres(pose.x)}, y ${metres(pose.y)}, heading ${Math.round(pose.yaw_deg) || 0}°`;
  return `The robot ${isMoving ? 'moves' : 'stands'} ${where} and holds ${idList(held)}.`;
}

/** Returns who latched the emergency stop, when and why, and who can release it. */
export function emergencyText({ by, since_ms: sinceMs, reason }: EmergencyFacts): string {
  const since = sinceMs === 0 ? '' : ` since ${new Date(sinceMs).toISOString()}`;
  const why = reason === null ? '' : `, reason: ${reason}`;
  return `Its emergency stop is latched by ${by}${since}${why}: it takes no command until a person at the robot releases it.`;
}

export const metres = (value: number): string => `${value.toFixed(2)} m`;
