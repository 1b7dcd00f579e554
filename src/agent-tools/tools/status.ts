import { z } from 'zod';
import { shownLine } from '../../common/shown-text.ts';
import type { BookedAction } from '../action-book.ts';
import type { AgentContext } from '../agent-context.ts';
import { failureOf, hintToAsk } from '../failures.ts';
import { robotPart } from '../motion.ts';
import { isFailure, type RobotFacts, readOr, readRobot } from '../robot-facts.ts';
import { emergencyText, idText, poseText } from '../sentences.ts';
import { answerTool, READS } from '../tool.ts';
import { done, type ToolReply } from '../tool-reply.ts';

/** `robot_status`. */
export const robotStatus = answerTool({
  name: 'robot_status',
  title: 'Robot status',
  description:
    'Where the robot is, what it holds and does, who drives it, the scene, the task, and what to call next. Call it first. It never waits.',
  hints: READS,
  input: z.strictObject({ watch: z.boolean().default(false).describe('also return the link at which people can watch') }),
  answer: (context, { watch }) => statusReply(context, { isLinkWanted: watch }),
});

interface StatusOptions {
  /** The id of the action that reports the status, and has ended when its reply arrives. */
  own?: string;
  /** Whether the client requested the link to watch. @default false */
  isLinkWanted?: boolean;
}

/** Returns the status as a reply; also when the robot is absent or loads. */
export async function statusReply(context: AgentContext, { own, isLinkWanted = false }: StatusOptions = {}): Promise<ToolReply> {
  const { robot, place, book } = context;
  const running = book.running().filter(({ id }) => id !== own);
  const facts = await readRobot(robot);
  const { watchUrl, watchLink = null, instruction } = place;
  const about = {
    profile: robot.profile,
    robot: place.robotModel,
    clock: isFailure(facts) ? null : facts.clock,
    watch: watchUrl ?? (isLinkWanted ? watchLink : null),
    task: instruction === null ? null : shownLine(instruction),
    exam: place.isExam,
    running: running.map(({ id, tool }) => ({ action_id: id, tool })),
    last_result: book.last?.ended?.said ?? null,
  };
  if (isFailure(facts)) {
    const { code, text, hint } = failureOf(facts, context);
    const status = STATUS_OF[code] ?? 'unreachable';
    const next = status === 'absent' ? 'Then call robot_status again.' : (hint ?? 'Call robot_status again in a few seconds.');
    return done(`${text}${next === hint ? '' : ` ${next}`}`, { status, ...about, next });
  }
  const layout = await readOr(robot, 'runtime.scene_layout');
  const scene = !isFailure(layout) && typeof layout.scene_id === 'string' ? layout.scene_id : null;
  const next = nextOf(context, facts, running);
  const seed = place.seed ?? facts.seed;
  const drawn = facts.seed !== seed ? facts.seed : null;
  const said = [
    poseText(facts),
    scene === null
      ? ''
      : `The scene is ${idText(scene)}${seed === null ? '' : `, seed ${seed}`}${drawn === null ? '' : ` (the task drew the seed ${drawn} of the world from it)`}.`,
    facts.active ? `It is ${facts.active.phase} (${facts.active.name}, action ${idText(facts.active.action_id)}).` : '',
    ...driverText(facts),
    facts.emergencyStop === null ? '' : emergencyText(facts.emergencyStop),
    instruction === null ? '' : `Task: ${shownLine(instruction)}`,
    place.isExam ? 'This is an exam: the world cannot be started over.' : '',
    watchText(watchUrl, watchLink, isLinkWanted),
    next,
  ];
  return done(said.filter((one) => one !== '').join(' '), {
    status: facts.emergencyStop === null ? 'ready' : 'emergency_stopped',
    ...about,
    emergency_stop: facts.emergencyStop,
    scene,
    seed,
    ...(drawn === null ? {} : { world_seed: drawn }),
    speed: facts.speed,
    active: facts.active ? { action_id: facts.active.action_id, skill: facts.active.name, phase: facts.active.phase } : null,
    moving: facts.isMoving,
    ...robotPart(facts),
    last_action: facts.last ? { action_id: facts.last.action_id, skill: facts.last.name, status: facts.last.status } : null,
    next,
  });
}

/** The status of a robot whose state is not readable. */
const STATUS_OF: Readonly<Record<string, string>> = { NOT_READY: 'loading', ROBOT_ABSENT: 'absent' };

const driverText = ({ driver }: RobotFacts): string[] => {
  if (driver === null) return [];
  const since = new Date(driver.since_ms).toISOString();
  return [
    driver.is_you
      ? `You have driven it since ${since}.`
      : `${driver.name} (${driver.kind}) has driven it since ${since}, so your motions are rejected.`,
  ];
};

function watchText(url: string | null, link: string | null, isLinkWanted: boolean): string {
  if (url !== null) return `People can watch at ${url}.`;
  if (link === null) return '';
  return isLinkWanted
    ? 'People can watch with the link in "watch". It contains a key: show it only to the user.'
    : 'People can watch: robot_status with "watch": true returns the link.';
}

function nextOf(
  { robot, place }: AgentContext,
  { driver, held, emergencyStop }: RobotFacts,
  [running]: readonly BookedAction[],
): string {
  if (emergencyStop !== null) return 'Next: ask a person at the robot to release the emergency stop.';
  if (driver !== null && !driver.is_you) return hintToAsk(robot);
  if (running) return `Next: wait with action_id "${running.id}".`;
  if (robot.profile === 'worker') return 'Next: drive moves the robot for some seconds, and stop ends it.';
  if (place.instruction !== null)
    return 'Next: check whether the task is fulfilled. If not, get_scene shows the things, and go_to, pick and place move them.';
  return held.length > 0 ? 'Next: go_to a pad, then place.' : 'Next: get_scene for the ids of things.';
}
