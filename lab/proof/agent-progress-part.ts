import { GENERATIONS, type Generation } from '../../tests/mcp/helpers/mcp-clients.ts';
import { type Chance, createChance } from '../../tests/oracle/chance.ts';
import { openHttpClient } from '../agents/http-client.ts';
import { openHttpPlace } from '../agents/http-place.ts';
import type { MessageWatch } from '../agents/message-watch.ts';
import { openStdioPair } from '../agents/stdio-pair.ts';
import { agentOver, createSteppedRobot, type SteppedRobot } from '../agents/stepped-robot.ts';
import { type ProofPart, type SliceOutcome, valuesOf } from './part.ts';

/** Calls of a slice, over one transport. */
const CALLS = { smoke: 30, nightly: 200, full: 400 } as const;
/** Calls that overlap: one motion, those that wait for it, and reads. */
const AT_ONCE = 8;
const TRANSPORTS = ['stdio', ...GENERATIONS] as const;
/** Tokens are used again after this many calls: a late progress would then meet another call. */
const TOKENS = 64;
const CALL_STEPS = 6_000;

export const agentProgressPart: ProofPart = {
  name: 'agent-progress',
  open: async (size) => ({
    run: (slice) => watchCalls(slice, CALLS[size]),
    close: async () => undefined,
  }),
  measured(outcomes) {
    const sum = (name: string): string =>
      valuesOf(outcomes, 'samples', name)
        .reduce((total, one) => total + one, 0)
        .toLocaleString('en-GB');
    return `${sum('progress')} messages of progress, ${sum('results')} results and ${sum('bytes')} bytes; ${sum('given')} calls cancelled or broken`;
  },
  verdict: (outcomes) =>
    outcomes.length > 0 && valuesOf(outcomes, 'samples', 'progress').every((count) => count === 0)
      ? ['no call had progress']
      : [],
};

/** Sends a call with a token. `giveUp` fires when the client gives up. Settles when nothing more comes. */
type Send = (tool: string, input: object, token: string, giveUp: AbortSignal) => Promise<void>;

async function watchCalls(slice: number, count: number): Promise<SliceOutcome> {
  const transport = TRANSPORTS[(slice - 1) % TRANSPORTS.length] ?? 'stdio';
  const chance = createChance(slice);
  const robot = await createSteppedRobot(slice, 'yard');
  const line = transport === 'stdio' ? await overStdio(robot) : await overHttp(robot, transport);
  let [calls, given] = [0, 0];
  const failures: string[] = [];
  while (calls < count) {
    const open: Promise<void>[] = [];
    for (let at = 0; at < AT_ONCE; at += 1) {
      const giveUp = new AbortController();
      const [tool, input] = at === 0 ? motion(chance) : look(chance);
      const isGiven = chance.happens(0.15);
      if (isGiven) given += 1;
      calls += 1;
      open.push(line.send(tool, input, `token ${calls % TOKENS}`, giveUp.signal));
      if (!isGiven) continue;
      const untilStep = robot.steps + chance.below(400);
      void robot.clock.pause(((untilStep - robot.steps) * 1_000) / 120).then(() => giveUp.abort());
    }
    let isOver = false;
    void Promise.all(open).then(() => {
      isOver = true;
    });
    if (!(await robot.until(() => isOver, CALL_STEPS))) failures.push(`${transport}: calls before number ${calls} have no reply`);
  }
  await line.close();
  robot.dispose();
  const { progress, results, bytes } = line.watch.counts;
  failures.push(...line.watch.problems.map((problem) => `${transport}: ${problem}`));
  return { done: calls, failures, samples: { progress: [progress], results: [results], bytes: [bytes], given: [given] } };
}

function motion(chance: Chance): [string, object] {
  const drive = { vx: chance.between(-0.4, 0.4), wz: chance.between(-0.6, 0.6), seconds: chance.between(0.5, 6) };
  return chance.oneOf<[string, object]>([
    ['drive', drive],
    [
      'run_plan',
      {
        steps: [
          { tool: 'drive', input: { ...drive, seconds: 1 } },
          { tool: 'look_at', input: { yaw_deg: 20 } },
        ],
      },
    ],
    ['go_to', { to: { x: chance.between(-2, 2), y: chance.between(-2, 2) }, within_s: 4 }],
  ]);
}

const look = (chance: Chance): [string, object] =>
  chance.oneOf<[string, object]>([
    ['wait', { for_s: chance.between(0, 5) }],
    ['wait', { for_s: 4 }],
    ['robot_status', {}],
    ['get_scene', { limit: 5 }],
    ['fly', {}],
    ['wait', { for_s: 'long' }],
  ]);

interface Line {
  send: Send;
  watch: MessageWatch;
  close(): Promise<void>;
}

async function overStdio(robot: SteppedRobot): Promise<Line> {
  const pair = openStdioPair(agentOver(robot));
  await pair.open();
  return {
    watch: pair.watch,
    close: () => pair.close(),
    async send(tool, input, token, giveUp) {
      const { id, reply } = pair.use(tool, input, token);
      await Promise.race([
        reply,
        new Promise<void>((resolve) => {
          giveUp.addEventListener('abort', () => {
            pair.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
            resolve();
          });
        }),
      ]);
    },
  };
}

async function overHttp(robot: SteppedRobot, generation: Generation): Promise<Line> {
  const place = await openHttpPlace(() => agentOver(robot));
  const client = await openHttpClient(generation, `${place.url}/robot`);
  return {
    watch: client.watch,
    close: () => place.end(),
    async send(tool, input, progressToken, signal) {
      await client.raw
        .call(tool, input, { progressToken, signal })
        .then((call) => client.read(call))
        .catch(() => null);
    },
  };
}
