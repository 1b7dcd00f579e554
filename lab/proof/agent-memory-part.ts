import { createAgent } from '../../src/agent-tools/agent.ts';
import { AGENT_CLOCK } from '../../src/agent-tools/agent-clock.ts';
import { startAgentRobot } from '../../src/headless/agent-robot.ts';
import { heapBytesInUse } from '../../tests/client/helpers/heap.ts';
import { factsOf, openStdioPair } from '../agents/stdio-pair.ts';
import { type ProofBench, type ProofPart, valuesOf } from './part.ts';

/** Calls of a slice; one of them in RESTART_EVERY restarts the world. */
const CALLS = { smoke: 500, nightly: 2_000, full: 4_000 } as const;
const RESTART_EVERY = 100;
const GROWTH_MAX_MB = 20;
/** By then, everything that a server keeps by promise is full. */
const WARM_SLICES = 5;

/** A server for one agent, with the robot and the connection of `simplesim mcp`. */
async function openServer(calls: number): Promise<ProofBench> {
  const problems: string[] = [];
  const world = { modelId: 'humanoid', sceneId: 'yard', seed: 1, task: null, sceneFile: null } as const;
  const robot = startAgentRobot({
    world,
    pictures: null,
    worldsDir: null,
    log: (entry) => {
      if (entry.level === 'error') problems.push(JSON.stringify(entry).slice(0, 300));
    },
  });
  let ids = 0;
  const agent = createAgent({
    robot: robot.access,
    place: {
      robotModel: 'humanoid',
      watchUrl: null,
      instruction: null,
      isExam: false,
      restart: async ({ seed }) => robot.restart({ ...world, seed: seed ?? 1 }),
    },
    clock: AGENT_CLOCK,
    agentName: () => 'proof',
    newId: () => `own-${++ids}`,
  });
  const pair = openStdioPair(agent);
  await pair.open();
  return {
    async run(slice) {
      let restarts = 0;
      for (let call = 1; call <= calls; call += 1) {
        const [tool, input] =
          call % RESTART_EVERY === 0
            ? ['start_over', { seed: slice * 1_000 + call }]
            : (READS[call % READS.length] as (typeof READS)[number]);
        const facts = factsOf(await pair.use(tool as string, input as object).reply);
        if (tool !== 'start_over') continue;
        restarts += 1;
        if (facts.status !== 'done') problems.push(`start_over was answered ${JSON.stringify(facts).slice(0, 300)}`);
      }
      const failures = [...problems.splice(0), ...pair.watch.problems.splice(0)];
      const heapMb = heapBytesInUse() / 2 ** 20;
      const { external, rss } = process.memoryUsage();
      const samples = { heapMb: [heapMb], outsideMb: [external / 2 ** 20], residentMb: [rss / 2 ** 20], restarts: [restarts] };
      return { done: calls, failures, samples };
    },
    async close() {
      await pair.close();
      await agent.end();
      await robot.end();
    },
  };
}

const READS = [
  ['robot_status', {}],
  ['get_scene', {}],
  ['get_scene', { kind: 'cube', limit: 40 }],
  ['wait', { for_s: 0 }],
  ['get_scene', { near: 'unknown' }],
] as const;

export const agentMemoryPart: ProofPart = {
  name: 'agent-memory',
  isOneBench: true,
  open: (size) => openServer(CALLS[size]),
  measured(outcomes) {
    const text = (name: string): string => {
      const values = valuesOf(outcomes, 'samples', name);
      const warm = values[Math.min(WARM_SLICES, values.length - 1)] ?? 0;
      return `${warm.toFixed(1)} MB, ${values.at(-1)?.toFixed(1)} MB at the end`;
    };
    const restarts = valuesOf(outcomes, 'samples', 'restarts').reduce((total, one) => total + one, 0);
    return `${restarts.toLocaleString('en-GB')} restarts; after ${WARM_SLICES + 1} slices and at the end: heap ${text('heapMb')}; outside the heap ${text('outsideMb')}; resident ${text('residentMb')}`;
  },
  verdict(outcomes) {
    const [heaps, outside] = ['heapMb', 'outsideMb'].map((name) => valuesOf(outcomes, 'samples', name)) as [number[], number[]];
    const all = heaps.map((mb, at) => mb + (outside[at] ?? 0));
    const growth = (all.at(-1) ?? 0) - (all[WARM_SLICES] ?? all.at(-1) ?? 0);
    return growth > GROWTH_MAX_MB ? [`the memory has grown by ${growth.toFixed(1)} MB`] : [];
  },
};
