/**
 * A process of the proof `agent-stops`: the product's server on standard input and output, over a robot whose bodies are watched.
 * It reports through its fourth file, in lines of JSON: that the robot moves, and at its end when each step was made.
 */
import { writeSync } from 'node:fs';
import { serveStdioAgent } from '../../src/launch/mcp/serve-stdio-agent.ts';
import { watchOutput } from '../../src/launch/output.ts';
import { agentOver, createSteppedRobot } from './stepped-robot.ts';

const REPORT_FILE = 3;
/** The steps of the report: those of the last seconds. */
const STEPS_REPORTED = 720;
/** A process whose client forgot it ends. */
const LIFE_STEPS = 120 * 120;
/** A robot that does not move by then is blocked. */
const MOVES_BY_STEP = 600;

/** The clock that all processes of a machine share, milliseconds. */
const sharedMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;
const report = (value: object): void => void writeSync(REPORT_FILE, `${JSON.stringify(value)}\n`);

const robot = await createSteppedRobot(Number(process.argv[2] ?? 1), 'yard');
const made: [sharedMs: number, isMoving: boolean][] = [];
let isReported = false;

function note(): boolean {
  if (robot.steps > made.length) {
    const isMoving = robot.movedAtStep === robot.steps;
    made.push([sharedMs(), isMoving]);
    if (!isReported && (isMoving || robot.steps > MOVES_BY_STEP)) {
      isReported = true;
      report({ moving: isMoving });
    }
  }
  return false;
}

watchOutput();
serveStdioAgent({
  agent: agentOver(robot),
  onClient: () => undefined,
  ends: [() => report({ made: made.slice(-STEPS_REPORTED) })],
});
report({ ready: true });
await robot.untilInRealTime(note, LIFE_STEPS);
