import { createInterface } from 'node:readline/promises';
import { shownName } from '../common/shown-text.ts';
import { callerName } from '../protocol/wire/caller.ts';
import type { ReleasePlace } from '../protocol/wire/emergency-stop.ts';
import type { Log, LogEntry } from '../worker/log.ts';
import { type StoppedRobot, stoppedRobots } from '../worker/robot/stop-file.ts';
import { print } from './output.ts';
import { UsageError } from './read-options.ts';

/** How to ask a person at the terminal. */
export interface Terminal {
  /** Whether a person can be there at all; false for a pipe or a service manager. */
  isThere: boolean;
  say(line: string): void;
  ask(question: string): Promise<string>;
}

/** The two answers that release. Any other answer leaves the robots stopped. */
const ANSWERS = ['release', 'no one is in reach'] as const;

/**
 * Releases the emergency stop of every robot of this folder, if a person at the terminal confirms it twice. That person replaces
 * the person at the page, which such a robot does not have.
 * @param atMs milliseconds since the epoch
 * @param log gets a line for each released robot
 * @throws UsageError without a terminal, and if the person does not confirm twice
 */
export async function releaseStops(folder: string, terminal: Terminal, atMs: number, log: Log = () => undefined): Promise<void> {
  if (!terminal.isThere) throw new UsageError(NO_TERMINAL);
  const stopped = stoppedRobots(folder);
  if (stopped.length === 0) {
    terminal.say('No robot here has its emergency stop latched.');
    return;
  }
  terminal.say('These robots are stopped, and take commands again after a release. Nothing moves by that alone.');
  // A robot reads its record when it starts, and keeps its own state from then on.
  terminal.say(
    'One that runs now, in another worker or simulator without a page, stays stopped: end it first, then start this again.',
  );
  for (const robot of stopped) terminal.say(`  ${lineOf(robot)}`);
  for (const answer of ANSWERS) {
    const said = await terminal.ask(`Type "${answer}" to continue, anything else to leave them stopped: `);
    if (said.trim().toLowerCase() !== answer) throw new UsageError('Nothing was released, and no robot was started.');
  }
  for (const robot of stopped) {
    robot.release(atMs);
    log(releaseEntry(robot));
  }
  terminal.say(
    'Released for their next start. When a robot has joined its room, the control service ends its own latch of that robot too.',
  );
}

const releaseEntry = ({ robotId, latched: { by }, names }: StoppedRobot): LogEntry => ({
  level: 'warn',
  event: 'emergency_stop_released',
  robot_id: robotId,
  ...(names.robot === null ? {} : { robot: names.robot }),
  pressed_by: names.presser ?? callerName(by),
  place: 'worker_machine' satisfies ReleasePlace,
});

function lineOf({ robotId, latched: { by, sinceMs, reason }, names }: StoppedRobot): string {
  const named = (name: string | null, id: string): string =>
    name === null ? shownName(id) : `${shownName(name)} (${shownName(id)})`;
  const robot = robotId === '' ? 'a robot whose record cannot be read' : named(names.robot, robotId);
  const since = sinceMs === 0 ? 'at a time that is not known' : new Date(sinceMs).toISOString();
  const why = reason === null ? '' : `: ${shownName(reason)}`;
  return `${robot}, pressed by ${named(names.presser, callerName(by))}, ${since}${why}`;
}

/** Asks at the terminal of this process. */
export const processTerminal = (): Terminal => ({
  isThere: process.stdin.isTTY === true && process.stdout.isTTY === true,
  say: (line) => print(line),
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
});

const NO_TERMINAL =
  '--release-emergency-stop asks a person twice, so it needs a terminal: no program releases an emergency stop. Start the robot by hand.';
