import type { GENERATIONS } from '../../tests/mcp/helpers/mcp-clients.ts';
import { type Chance, createChance } from '../../tests/oracle/chance.ts';
import { openHttpClient } from '../agents/http-client.ts';
import { openHttpPlace } from '../agents/http-place.ts';
import { openStdioPair } from '../agents/stdio-pair.ts';
import { agentOver, createSteppedRobot, during, type SteppedRobot } from '../agents/stepped-robot.ts';
import { type ProofPart, type SliceOutcome, valuesOf } from './part.ts';

/** Broken calls of a slice, over one connection or session. */
const ROUNDS = { smoke: 10, nightly: 100, full: 100 } as const;
/** A drive of the shortest duration, and its end. */
const DRIVE_S = 0.1;
const ROUND_STEPS = 2_000;
/** The call is broken within this many steps of its start: before, while and after it runs. */
const BREAK_STEPS = 60;

/** The way in which a slice loses its calls. */
type Kind = { transport: (typeof GENERATIONS)[number] | 'stdio'; hasId: boolean };
const KINDS: readonly Kind[] = [
  { transport: '2026-07-28', hasId: true },
  { transport: '2025-11-25', hasId: true },
  { transport: '2026-07-28', hasId: false },
  { transport: '2025-11-25', hasId: false },
  { transport: 'stdio', hasId: true },
];

/** Calls a tool twice: the first call is broken, and the second must learn what became of it. */
type Round = (input: object, chance: Chance) => Promise<Rounded>;
interface Rounded {
  problem?: string | null;
  /** Whether the client had the whole reply before it broke the call. */
  isWhole?: boolean;
  /** How often a client counted as having received a reply when the call was broken, and when its repetition arrived. */
  delivered?: [atBreak: number, atRepeat: number];
}

export const agentOncePart: ProofPart = {
  name: 'agent-once',
  open: async (size) => ({
    run: (slice) => breakAtVolume(slice, ROUNDS[size]),
    close: async () => undefined,
  }),
  measured(outcomes) {
    const sum = (name: string): number => valuesOf(outcomes, 'samples', name).reduce((total, one) => total + one, 0);
    const text = (name: string): string => sum(name).toLocaleString('en-GB');
    return `with an action_id: ${text('withId')} broken calls, ${text('doubled')} doubled, ${text('lost')} lost; without: ${text('withoutId')} broken calls, ${text('crossed')} ran twice because the reply crossed the end of the connection (${text('leftBefore')} of these replies had left before the client closed it), ${text('lostWithoutId')} lost`;
  },
};

async function breakAtVolume(slice: number, rounds: number): Promise<SliceOutcome> {
  const kind = KINDS[(slice - 1) % KINDS.length] as Kind;
  const chance = createChance(slice);
  const robot = await createSteppedRobot(slice, 'yard');
  const line = kind.transport === 'stdio' ? await overStdio(robot) : await overHttp(robot, kind.transport);
  const failures: string[] = [];
  const counts = { broken: 0, doubled: 0, lost: 0, leftBefore: 0 };
  let given = 0;
  for (let round = 1; counts.broken < rounds; round += 1) {
    const before = ran(robot);
    const input = {
      // The robot stays where it is, because every round turns it back.
      wz: (round % 2 === 0 ? 1 : -1) * 0.5,
      seconds: DRIVE_S,
      ...(kind.hasId ? { action_id: `${slice}-${round}` } : {}),
    };
    const { problem, isWhole, delivered = [0, 0] } = await line.round(input, chance);
    const times = ran(robot) - before;
    if (!isWhole) counts.broken += 1;
    if (problem) failures.push(`${kind.transport}, round ${round}: ${problem}`);
    if (times > 1) counts.doubled += 1;
    if (times < 1) counts.lost += 1;
    // A reply that has left counts as received, so the same call is a new action.
    if (times > 1 && delivered[0] > given) counts.leftBefore += 1;
    const hasCrossed = !kind.hasId && delivered[1] > given;
    given = line.delivered();
    if (times < 1 || (times > 1 && !hasCrossed))
      failures.push(`${kind.transport}, round ${round}: the robot moved ${times} times for a call that was broken and repeated`);
  }
  await line.close();
  robot.dispose();
  failures.push(...line.problems());
  const { doubled, lost, leftBefore } = counts;
  return {
    done: rounds,
    failures,
    samples: kind.hasId
      ? { withId: [rounds], doubled: [doubled], lost: [lost] }
      : { withoutId: [rounds], crossed: [doubled], leftBefore: [leftBefore], lostWithoutId: [lost] },
  };
}

/** Returns how often an action began. */
const ran = ({ accepted }: SteppedRobot): number => [...accepted.values()].reduce((total, times) => total + times, 0);

interface Line {
  round: Round;
  /** How often the client counted as having received a reply. */
  delivered(): number;
  problems(): string[];
  close(): Promise<void>;
}

async function overHttp(robot: SteppedRobot, generation: (typeof GENERATIONS)[number]): Promise<Line> {
  let [delivered, atCall] = [0, 0];
  const observer = {
    onCall() {
      atCall = delivered;
    },
    onDelivered() {
      delivered += 1;
    },
  };
  const place = await openHttpPlace(() => agentOver(robot, {}, observer));
  const client = await openHttpClient(generation, `${place.url}/robot`);
  return {
    delivered: () => delivered,
    problems: () => [...client.watch.problems, ...place.problems],
    close: () => place.end(),
    async round(input, chance) {
      const breaking = new AbortController();
      const isWithProgress = chance.happens(0.5);
      const token = isWithProgress ? { progressToken: `t${robot.steps}` } : {};
      let whole: Record<string, unknown> | null = null;
      const calling = client.raw.call('drive', input, { ...token, signal: breaking.signal }).then(
        async (call) => {
          whole = await client.read(call);
        },
        () => undefined,
      );
      const until = robot.steps + chance.below(BREAK_STEPS);
      await robot.until(() => robot.steps >= until || whole !== null, ROUND_STEPS);
      // A client that has the whole reply has not lost it, and its next call is a new one.
      if (whole !== null && !('action_id' in input)) return { isWhole: true };
      const atBreak = delivered;
      breaking.abort();
      await calling;
      const again = await during(
        robot,
        client.raw.call('drive', input).then((call) => client.read(call)),
      );
      return again === null
        ? { problem: 'the repeated call has no reply' }
        : { problem: endOf(again), delivered: [atBreak, atCall] };
    },
  };
}

async function overStdio(robot: SteppedRobot): Promise<Line> {
  const pair = openStdioPair(agentOver(robot));
  await pair.open();
  return {
    delivered: () => 0,
    problems: () => pair.watch.problems,
    close: () => pair.close(),
    async round(input, chance) {
      const { id } = pair.use('drive', input, `t${robot.steps}`);
      const until = robot.steps + chance.below(BREAK_STEPS);
      await robot.until(() => robot.steps >= until, BREAK_STEPS + 1);
      pair.notify('notifications/cancelled', { requestId: id, reason: 'enough' });
      const again = await during(robot, pair.use('drive', input).reply);
      return again === null ? { problem: 'the repeated call has no reply' } : { problem: endOf(again) };
    },
  };
}

/** Returns what is wrong with the end of an action in a reply; null if it is an end. */
function endOf(reply: Record<string, unknown>): string | null {
  const result = reply.result as { structuredContent?: { status?: unknown; code?: unknown } } | undefined;
  const { status, code } = result?.structuredContent ?? {};
  const isEnd = status === 'done' || (status === 'failed' && code === 'CANCELLED');
  return isEnd ? null : `the repeated call was answered ${JSON.stringify(reply).slice(0, 300)}`;
}
