import type { AgentClock } from './agent-context.ts';
import type { RobotAccess } from './robot-access.ts';
import { within } from './within.ts';

/** A robot answers reads and cancels at once, also while it loads. */
const ANSWER_MAX_MS = 5_000;
/** A stop must not wait longer for what it needs not know. */
const MEET_MAX_MS = 1_000;

/**
 * Returns the same robot, but reads, cancels and changes of the driver that get no answer reject after a limited time. Otherwise
 * one lost reply would block a tool for ever. Skills end by their own deadlines, and pictures by those of the cameras.
 */
export function boundedRobot(robot: RobotAccess, clock: AgentClock): RobotAccess & Required<Pick<RobotAccess, 'meet'>> {
  async function bounded<T>(answer: Promise<T>): Promise<T> {
    const boxed = answer.then((value) => ({ value }));
    const got = await within(boxed, ANSWER_MAX_MS, { clock });
    if (got === null) throw new Error(`The robot did not answer within ${ANSWER_MAX_MS / 1_000} s.`);
    return got.value;
  }

  return {
    get profile() {
      return robot.profile;
    },
    get identity() {
      return robot.identity;
    },
    async meet() {
      if (robot.meet) await within(robot.meet(), MEET_MAX_MS, { clock });
    },
    invoke: (...args) => robot.invoke(...args),
    read: (...args) => bounded(robot.read(...args)),
    cancel: (...args) => bounded(robot.cancel(...args)),
    control: (...args) => bounded(robot.control(...args)),
    takePicture: (...args) => robot.takePicture(...args),
  };
}
