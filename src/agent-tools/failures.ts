import type { RobotAccess, SkillReply } from './robot-access.ts';
import { idText } from './sentences.ts';

/** An error of the robot, or of the path to it. */
export type RobotError = NonNullable<SkillReply['error']>;

/** A failure, for a model. */
export interface Failure {
  code: string;
  /** The problem and the hint, in sentences. */
  text: string;
  /** The next step, with the tools that this agent has. */
  hint: string | undefined;
}

/** The parts of an agent's context that decide which advice it can follow. */
interface Circumstances {
  robot: Pick<RobotAccess, 'identity'>;
  place: { isExam: boolean };
}

/** Returns an error in terms of the tools. The robot's own advice names its methods, so that of the tools replaces it. */
export function failureOf({ code, message, details = {} }: RobotError, context: Circumstances): Failure {
  const own = typeof details.hint === 'string' ? details.hint : undefined;
  if (typeof details.superseded_by === 'string') {
    return { code, text: `Action ${idText(details.superseded_by)} replaced it.`, hint: undefined };
  }
  // A message whose problem is not apart contains its advice.
  const isApart = typeof details.problem === 'string';
  const problem = typeof details.problem === 'string' ? details.problem : message;
  const hint = isApart || details.emergency_stop === true ? hintOf(code, details, own, context) : own;
  return { code, text: hint === undefined ? problem : `${problem} ${hint}`, hint };
}

function hintOf(
  code: string,
  details: Readonly<Record<string, unknown>>,
  own: string | undefined,
  { robot, place }: Circumstances,
): string | undefined {
  if (details.emergency_stop === true) return 'Ask a person at the robot to release the emergency stop.';
  if (details.restart_with !== undefined) {
    const otherwise = place.isExam ? 'The world cannot be started over in an exam.' : 'If that fails too, call start_over.';
    return `Call once more. ${otherwise}`;
  }
  switch (code) {
    case 'UNKNOWN_ENTITY':
      return 'Call get_scene for the ids.';
    case 'UNKNOWN_SKILL':
      return 'The description of use_skill lists the skills.';
    case 'ACTION_NOT_FOUND':
      return 'Call robot_status to see what the robot does.';
    case 'NOT_CONTROLLER':
      return hintToAsk(robot);
    case 'BUSY': {
      const { action_id: id = details.action_id } = (details.active_action ?? {}) as { action_id?: unknown };
      return id === undefined ? own : `Call wait with action_id ${idText(id)} for its end, or call stop.`;
    }
    default:
      return own;
  }
}

/** Returns the advice while another drives. Only a participant of the room, or the robot's page, can ask for the robot. */
export const hintToAsk = ({ identity }: Pick<RobotAccess, 'identity'>): string =>
  identity === undefined
    ? 'Ask your user to have someone release the robot. robot_status shows the driver.'
    : 'Call control with do "ask" to request the robot.';
