import { STEPS_PER_SECOND } from '../../src/protocol/wire/limits.ts';
import { type Chance, createChance } from '../../tests/oracle/chance.ts';
import { stands } from '../../tests/oracle/judge-ends.ts';
import { readTruth } from '../../tests/oracle/truth.ts';
import { openStdioProcesses, type ProcessEnd, type StdioProcesses } from '../agents/killed-clients.ts';
import { createSteppedRobot, type SteppedRobot } from '../agents/stepped-robot.ts';
import { CAUSES, type Cause, type MovingCall, openCell, type StopCell, TRANSPORTS } from '../agents/stop-cells.ts';
import { type ProofPart, type SliceOutcome, valuesOf } from './part.ts';

/** Rounds of a slice, which is one cell of the matrix. */
const ROUNDS = { smoke: 1, nightly: 10, full: 10 } as const;
/** Rounds at once where processes run in real time. */
const PROCESSES_AT_ONCE = 4;
/** P7, in simulated time from the moment at which the client acts. */
const REST_STEPS = STEPS_PER_SECOND / 2;
const MOVES_WITHIN_STEPS = 2 * STEPS_PER_SECOND;
/** The robot must still stand this long after the limit. */
const STAYS_STEPS = 20;
const MOVES_ON_STEPS = 40;
const TRIES = 8;
const PROCESS_MOVES_ON_MS = 500;
/** A silent client leaves the robot moving until here. */
const SILENT_S = { from: 0.4, to: 1.5 };

const CELLS = CAUSES.flatMap((cause) => TRANSPORTS.map((transport) => ({ transport, cause })));
type Cell = (typeof CELLS)[number];

const isOfProcesses = ({ transport, cause }: Cell): boolean => transport === 'stdio' && (cause === 'killed' || cause === 'ended');

export const agentStopsPart: ProofPart = {
  name: 'agent-stops',
  async open(size) {
    let processes: Promise<StdioProcesses> | null = null;
    return {
      async run(slice) {
        const cell = CELLS[(slice - 1) % CELLS.length] as Cell;
        if (!isOfProcesses(cell)) return endInProcess(cell, slice, ROUNDS[size]);
        processes ??= openStdioProcesses();
        return endProcesses(cell, slice, ROUNDS[size], await processes);
      },
      close: async () => (await processes)?.close(),
    };
  },
  measured(outcomes) {
    const cells = CELLS.map(({ transport, cause }) => {
      const rests = valuesOf(outcomes, 'samples', `${transport} ${cause}`);
      return rests.length === 0 ? null : `${transport} ${cause} ${rests.length} (${Math.max(...rests).toFixed(0)} ms)`;
    });
    return `rounds of each cell, with the longest time to rest in simulated time; for a silent client, from the deadline: ${cells.filter((cell) => cell !== null).join(', ')}; the client of standard input and output that ends its input in place of a broken response; in server processes, the time runs from the moment at which the server hears of the end, at most ${Math.max(0, ...valuesOf(outcomes, 'samples', 'heardMs')).toFixed(0)} ms later`;
  },
};

/** A call that moves the robot for long enough, or for a silent client until its deadline. */
function movingCall(chance: Chance, isSilent: boolean): MovingCall & { deadlineS: number } {
  const deadlineS = isSilent ? chance.between(SILENT_S.from, SILENT_S.to) : chance.between(5, 9);
  const drive = { vx: chance.oneOf([-1, 1]) * chance.between(0.2, 1.2), wz: chance.between(-0.6, 0.6), seconds: deadlineS };
  if (chance.happens(0.7) || isSilent) return { tool: 'drive', input: drive, deadlineS };
  if (chance.happens(0.5)) return { tool: 'run_plan', input: { steps: [{ tool: 'drive', input: drive }] }, deadlineS };
  return { tool: 'go_to', input: { to: { x: chance.between(-2, 2), y: chance.between(-2, 2) } }, deadlineS };
}

const msOf = (steps: number): number => (steps * 1_000) / STEPS_PER_SECOND;
const sampleOf = ({ transport, cause }: Cell): string => `${transport} ${cause}`;

function outcomeOf(cell: Cell, rounds: number, restMs: number[], failures: string[]): SliceOutcome {
  const timesMs = { [`to rest after ${NAMES[cell.cause]}`]: restMs };
  return {
    done: rounds,
    failures: failures.map((what) => `${sampleOf(cell)}: ${what}`),
    timesMs,
    samples: { [sampleOf(cell)]: restMs },
  };
}

const NAMES: Record<Cause, string> = {
  cancel: 'a cancel',
  broken: 'a broken response',
  killed: 'the death of the client',
  ended: 'the end of the server',
  silent: 'the deadline of a silent client',
};

async function endInProcess(cell: Cell, slice: number, rounds: number): Promise<SliceOutcome> {
  const isReal = cell.cause === 'killed';
  const lanes = isReal ? Math.min(PROCESSES_AT_ONCE, rounds) : 1;
  const restMs: number[] = [];
  const failures: string[] = [];
  let begun = 0;
  const lane = async (number: number): Promise<void> => {
    const chance = createChance(slice * 100 + number);
    const robot = await createSteppedRobot(slice * 100 + number, 'yard');
    const open = await openCell(cell.transport, cell.cause, robot);
    try {
      while (begun < rounds) {
        begun += 1;
        const round = begun;
        const { restSteps, breaches } = await endOnce(cell, robot, open, chance);
        restMs.push(msOf(restSteps));
        failures.push(...breaches.map((breach) => `round ${round}: ${breach}`));
      }
    } finally {
      await open.close();
      robot.dispose();
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at + 1)));
  return outcomeOf(cell, rounds, restMs, failures);
}

interface Ended {
  /** From the end that the client or server brings about, or from the deadline. */
  restSteps: number;
  breaches: string[];
}

async function endOnce(cell: Cell, robot: SteppedRobot, open: StopCell, chance: Chance): Promise<Ended> {
  const isSilent = cell.cause === 'silent';
  const pass = cell.cause === 'killed' ? robot.untilInRealTime : robot.until;
  for (let turn = 0; turn < TRIES; turn += 1) {
    const { deadlineS, ...call } = movingCall(chance, isSilent);
    const started = await open.start(call);
    // Time stands until the call has arrived, because a process starts meanwhile.
    const calls = robot.arrived.length;
    await untilArrived(() => robot.arrived.length > calls);
    const fromStep = robot.steps;
    const isMoving = await pass(() => robot.movedAtStep > fromStep, MOVES_WITHIN_STEPS);
    if (!isMoving) {
      await started.act();
      await started.clear();
      await resetRobot(robot);
      continue;
    }
    const deadlineStep = fromStep + Math.ceil(deadlineS * STEPS_PER_SECOND);
    if (!isSilent) await pass(() => false, chance.below(MOVES_ON_STEPS));
    const actStep = isSilent ? deadlineStep : robot.steps;
    await started.act();
    await pass(
      () => robot.steps >= actStep + REST_STEPS + STAYS_STEPS,
      deadlineStep - robot.steps + 2 * REST_STEPS + STAYS_STEPS,
    );
    const restSteps = Math.max(0, robot.movedAtStep - actStep);
    const breaches = [...started.problems()];
    if (restSteps > REST_STEPS) breaches.push(`${JSON.stringify(call)}: the base moved for ${restSteps} more steps`);
    if (robot.core && !stands(readTruth(robot.core, null))) breaches.push(`${JSON.stringify(call)}: the robot does not stand`);
    await started.clear();
    return { restSteps, breaches };
  }
  return { restSteps: 0, breaches: ['the robot did not move'] };
}

/** Starts of processes under load take this long. */
const ARRIVES_MAX_MS = 60_000;

async function untilArrived(condition: () => boolean): Promise<void> {
  const untilMs = performance.now() + ARRIVES_MAX_MS;
  while (!condition() && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Returns the robot to its start, away from what blocked it. */
async function resetRobot(robot: SteppedRobot): Promise<void> {
  let isOver = false;
  void robot.access.invoke('reset', {}, { actionId: `reset-${robot.steps}` }).then(() => {
    isOver = true;
  });
  await robot.until(() => isOver, MOVES_WITHIN_STEPS);
}

async function endProcesses(cell: Cell, slice: number, rounds: number, processes: StdioProcesses): Promise<SliceOutcome> {
  const restMs: number[] = [];
  const heardMs: number[] = [];
  const failures: string[] = [];
  const chance = createChance(slice);
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < rounds) {
      begun += 1;
      const round = begun;
      const how = cell.cause === 'killed' ? 'killed' : 'ended';
      const { call, end } = await movingEnd(how, chance, processes);
      if (end === null) {
        failures.push(`round ${round}: the robot did not move`);
        continue;
      }
      const { movedSteps, heardAfterMs, exitCode } = end;
      heardMs.push(heardAfterMs);
      restMs.push(msOf(movedSteps));
      if (movedSteps > REST_STEPS)
        failures.push(`round ${round}: ${JSON.stringify(call)}: the base moved for ${movedSteps} more steps`);
      if (how === 'ended' && exitCode !== 0) failures.push(`round ${round}: the server exited with ${exitCode}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(PROCESSES_AT_ONCE, rounds) }, lane));
  const outcome = outcomeOf(cell, rounds, restMs, failures);
  return { ...outcome, samples: { ...outcome.samples, heardMs } };
}

/** Starts processes until one moves its robot. */
async function movingEnd(
  how: 'killed' | 'ended',
  chance: Chance,
  processes: StdioProcesses,
): Promise<{ call: MovingCall; end: ProcessEnd | null }> {
  let call: MovingCall = { tool: 'drive', input: {} };
  for (let turn = 0; turn < TRIES; turn += 1) {
    const { deadlineS: _deadlineS, ...moving } = movingCall(chance, false);
    call = moving;
    const end = await processes.end(how, call, chance.below(1_000_000), chance.between(0, PROCESS_MOVES_ON_MS));
    if (end.wasMoving) return { call, end };
  }
  return { call, end: null };
}
