import { z } from 'zod';
import { shownLine } from '../../protocol/shown-text.ts';
import type { BookedAction } from '../action-book.ts';
import type { AgentContext } from '../agent-context.ts';
import { robotPart } from '../motion.ts';
import { isFailure, type RobotFacts, readOr, readRobot } from '../robot-facts.ts';
import { idText, poseText } from '../sentences.ts';
import { answerTool, READS } from '../tool.ts';
import { done, type ToolReply } from '../tool-reply.ts';

/** `robot_status`. */
export const robotStatus = answerTool({
  name: 'robot_status',
  title: 'Robot status',
  description:
    'Where the robot is, what it holds and does, who drives it, the scene, the task, and what to call next. Call it first. It never waits.',
  hints: READS,
  input: z.strictObject({}),
  answer: (context) => statusReply(context),
});

/**
 * Returns the status as a reply; also when the robot is absent or loads.
 * @param own the id of the action that reports the status, and has ended when its reply arrives
 */
export async function statusReply(context: AgentContext, own?: string): Promise<ToolReply> {
  const { robot, place, book } = context;
  const running = book.running().filter(({ id }) => id !== own);
  const facts = await readRobot(robot);
  const about = {
    profile: robot.profile,
    robot: place.robotModel,
    clock: place.clock,
    watch: place.watchUrl,
    task: place.instruction === null ? null : shownLine(place.instruction),
    exam: place.isExam,
    running: running.map(({ id, tool }) => ({ action_id: id, tool })),
    last_result: book.last?.ended?.said ?? null,
  };
  if (isFailure(facts)) {
    const next = 'Call robot_status again in a few seconds.';
    const status = facts.code === 'NOT_READY' ? 'loading' : 'absent';
    return done(`The robot is not ready: ${facts.message} ${next}`, { status, ...about, next });
  }
  const layout = await readOr(robot, 'runtime.scene_layout');
  const scene = !isFailure(layout) && typeof layout.scene_id === 'string' ? layout.scene_id : null;
  const next = nextOf(facts, running, place.instruction !== null);
  const said = [
    poseText(facts),
    facts.active ? `It is ${facts.active.phase} (${facts.active.name}, action ${idText(facts.active.action_id)}).` : '',
    ...driverText(facts),
    facts.isEmergencyStopped ? 'Its emergency stop is latched: it takes no command until a person at the robot releases it.' : '',
    place.instruction === null ? '' : `Task: ${shownLine(place.instruction)}`,
    place.watchUrl === null ? '' : 'People can watch at the address in "watch".',
    next,
  ];
  return done(said.filter((one) => one !== '').join(' '), {
    status: facts.isEmergencyStopped ? 'emergency_stopped' : 'ready',
    ...about,
    scene,
    seed: facts.seed,
    speed: facts.speed,
    active: facts.active ? { action_id: facts.active.action_id, skill: facts.active.name, phase: facts.active.phase } : null,
    moving: facts.isMoving,
    ...robotPart(facts),
    last_action: facts.last ? { action_id: facts.last.action_id, skill: facts.last.name, status: facts.last.status } : null,
    next,
  });
}

const driverText = ({ driver }: RobotFacts): string[] => {
  if (driver === null) return [];
  const since = new Date(driver.since_ms).toISOString();
  return [
    driver.is_you
      ? `You drive it since ${since}.`
      : `${driver.name} (${driver.kind}) drives it since ${since}; your motions are rejected.`,
  ];
};

function nextOf({ driver, held, isEmergencyStopped }: RobotFacts, [running]: readonly BookedAction[], hasTask: boolean): string {
  if (isEmergencyStopped) return 'Next: ask a person at the robot to release the emergency stop.';
  if (driver !== null && !driver.is_you) return 'Next: control with do "ask" to request the robot.';
  if (running) return `Next: wait with action_id "${running.id}".`;
  if (hasTask)
    return 'Next: check whether the task is fulfilled. If not, get_scene shows the things, and go_to, pick and place move them.';
  return held.length > 0 ? 'Next: go_to a pad, then place.' : 'Next: get_scene for the ids of things.';
}
