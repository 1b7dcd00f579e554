/**
 * A process of the proof `agent-stops`: the product's server on standard input and output, over a robot whose bodies are watched.
 * It reports through its fourth file, in lines of JSON: that the robot moves, and at its end how long the base moved after the
 * process heard of it.
 */
import { writeSync } from 'node:fs';
import { serveStdioAgent } from '../../src/launch/mcp/serve-stdio-agent.ts';
import { watchOutput } from '../../src/launch/output.ts';
import { agentOver, createSteppedRobot } from './stepped-robot.ts';

const REPORT_FILE = 3;
/** A process whose client forgot it ends. */
const LIFE_STEPS = 120 * 120;
/** A robot that does not move by then is blocked. */
const MOVES_BY_STEP = 600;

/** The clock that all processes of a machine share, milliseconds. */
const sharedMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;
const report = (value: object): void => void writeSync(REPORT_FILE, `${JSON.stringify(value)}\n`);

const robot = await createSteppedRobot(Number(process.argv[2] ?? 1), 'yard');
let isReported = false;
let heard: { step: number; atMs: number } | null = null;

/** The end of the input or a signal has arrived. */
function hear(): void {
  heard ??= { step: robot.steps, atMs: sharedMs() };
}
for (const event of ['end', 'close']) process.stdin.once(event, hear);
process.once('SIGTERM', hear);

function note(): boolean {
  const isMoving = robot.movedAtStep > 0;
  if (!isReported && (isMoving || robot.steps > MOVES_BY_STEP)) {
    isReported = true;
    report({ moving: isMoving });
  }
  return false;
}

watchOutput();
serveStdioAgent({
  agent: agentOver(robot),
  onClient: () => undefined,
  ends: [() => report({ heardAtMs: heard?.atMs, movedSteps: Math.max(0, robot.movedAtStep - (heard?.step ?? 0)) })],
});
report({ ready: true });
await robot.untilInRealTime(note, LIFE_STEPS);
