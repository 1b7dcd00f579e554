/** The measurements of `npm run lab -- bench`: the single source for the command, its test and the page of measurements. */

/** `smoke` is the size in `npm test`: it shows that everything can be measured, but its figures are not accurate. */
export const BENCH_SIZES = ['smoke', 'full'] as const;
export type BenchSize = (typeof BENCH_SIZES)[number];

export interface BenchRow {
  /** A description of the measured thing. */
  ours: string;
  /** The other side of the comparison: the bare limit, or a peer. */
  bare: string;
  unit: 'µs' | 'ms' | 's' | 'kB' | 'MB' | '%';
  /** The target for the ratio of the medians. */
  aimRatio: number | null;
  /** The target on the machine of the table, in the row's unit. */
  aim?: number;
}

/** By scenario, which is an argument of the command, and by row. */
export const BENCH_CATALOGUE = {
  step: {
    quiet: {
      ours: 'a step of the runtime: the robot walks in the warehouse, cubes rest',
      bare: "Rapier's own step of the same bodies",
      unit: 'µs',
      aimRatio: 1.15,
    },
    busy: {
      ours: 'a step of the runtime: the robot walks among 30 loose cubes',
      bare: "Rapier's own step of the same bodies",
      unit: 'µs',
      aimRatio: 1.15,
    },
  },
  headless: {
    second: {
      ours: 'a simulated second, headless: an agent reads the state once and walks',
      bare: "Rapier's own steps of the same bodies",
      unit: 'ms',
      aimRatio: null,
      aim: 12.5,
    },
  },
  ticks: {
    loaded: {
      ours: 'delay of a step, 99th percentile, while eight callers read the state 400 times a second',
      bare: 'the same on a host with an empty world',
      unit: 'ms',
      aimRatio: 2,
    },
  },
  planner: {
    warehouse: {
      ours: 'the shortest path between two places of the warehouse, cubes included',
      bare: 'Recast and Detour, on a mesh of the same boxes',
      unit: 'µs',
      aimRatio: 1,
    },
  },
  service: {
    token: {
      ours: 'a token for a participant, over HTTP in process: key, owner and database are looked up',
      bare: 'a bare Hono route that signs the same token with jose',
      unit: 'ms',
      aimRatio: null,
    },
    lookup: {
      ours: 'the same',
      bare: 'that route with the same database queries, in plain SQL',
      unit: 'ms',
      aimRatio: 2,
    },
  },
  invoke: {
    instant: {
      ours: 'an instant skill, from a client through the SFU to the page and back',
      bare: "LiveKit's own RPC of an echo, over the same path",
      unit: 'ms',
      aimRatio: 1.1,
    },
    worker: {
      ours: 'the same',
      bare: 'that RPC, echoed by a worker of the page, because the robot runs in one',
      unit: 'ms',
      aimRatio: 1.1,
    },
  },
  capture: {
    picture: {
      ours: 'a picture of 1280 × 720, from a client through the SFU to the page and back',
      bare: 'the same stage drawn once and read back, in the same browser',
      unit: 'ms',
      aimRatio: null,
      aim: 130,
    },
    whole: {
      ours: 'the same',
      bare: "the same stage drawn once and encoded as JPEG there, plus LiveKit's own byte stream of as many bytes",
      unit: 'ms',
      aimRatio: 1.1,
    },
    stall: {
      ours: 'the longest delay of the page for its viewer, while a picture is taken',
      bare: 'the same while no picture is taken',
      unit: 'ms',
      aimRatio: 2,
    },
    transfer: {
      ours: 'a megabyte of a picture, from its first chunk to its last',
      bare: "a megabyte of LiveKit's own byte stream, over the same path",
      unit: 'ms',
      aimRatio: 1.2,
    },
  },
  hidden: {
    state: {
      ours: 'the state, read from a hidden page',
      bare: 'the same, read from a visible page',
      unit: 'ms',
      aimRatio: 1.2,
    },
  },
  open: {
    gate: { ours: 'open the page, until the gate accepts a key', bare: 'open a text file', unit: 'ms', aimRatio: null, aim: 500 },
    alone: {
      ours: 'open the page, until a robot that runs only in the tab is ready',
      bare: 'open a text file',
      unit: 'ms',
      aimRatio: null,
      aim: 1_500,
    },
    aloneSight: {
      ours: 'open the page, until the scene of such a robot is visible, at least as plain boxes',
      bare: 'open a text file',
      unit: 'ms',
      aimRatio: null,
      aim: 3_000,
    },
    room: {
      ours: 'open a link, until a client in the room has completed its first skill',
      bare: 'open a text file',
      unit: 'ms',
      aimRatio: null,
      aim: 2_000,
    },
    roomSight: {
      ours: 'open a link, until the scene is visible, at least as plain boxes',
      bare: 'open a text file',
      unit: 'ms',
      aimRatio: null,
      aim: 3_000,
    },
  },
  slow: {
    gate: {
      ours: 'open the page on a 10 Mbit/s connection with a 40 ms round trip, its thread 4 × slower, until the gate accepts a key',
      bare: 'open a text file over the same connection',
      unit: 'ms',
      aimRatio: null,
      aim: 5_000,
    },
    alone: {
      ours: 'the same, until a robot that runs only in the tab is ready',
      bare: 'open a text file over the same connection',
      unit: 'ms',
      aimRatio: null,
      aim: 10_000,
    },
  },
  watchers: {
    ten: {
      ours: 'age of a state on arrival, 99th percentile, with ten watchers of a moving robot',
      bare: 'the same with one',
      unit: 'ms',
      aimRatio: null,
      aim: 250,
    },
    fifty: { ours: 'the same with fifty', bare: 'the same with one', unit: 'ms', aimRatio: null, aim: 250 },
    hundred: { ours: 'the same with a hundred', bare: 'the same with one', unit: 'ms', aimRatio: null, aim: 250 },
    missing: {
      ours: 'share of lost states, with a hundred watchers',
      bare: 'the same with one',
      unit: '%',
      aimRatio: null,
      aim: 1,
    },
    bytes: {
      ours: 'data sent to each watcher per second, without transport headers',
      bare: 'the same states, each sent in full',
      unit: 'kB',
      aimRatio: null,
      aim: 20,
    },
    core: {
      ours: "share of a core that a moving robot's process uses, with a hundred watchers",
      bare: 'the same without watchers',
      unit: '%',
      aimRatio: null,
    },
  },
  memory: {
    service: {
      ours: 'memory of the control service alone at rest, on a new data folder',
      bare: 'a Node program that does nothing',
      unit: 'MB',
      aimRatio: null,
      aim: 250,
    },
    start: {
      ours: 'memory of `npm start` at rest, after it has built the page: npm, service, SFU and its guard',
      bare: 'a Node program that does nothing',
      unit: 'MB',
      aimRatio: null,
      aim: 300,
    },
  },
} as const satisfies Record<string, Record<string, BenchRow>>;

export type BenchScenarioName = keyof typeof BENCH_CATALOGUE;
export const BENCH_NAMES = Object.keys(BENCH_CATALOGUE) as BenchScenarioName[];
export type BenchRowName<Name extends BenchScenarioName> = keyof (typeof BENCH_CATALOGUE)[Name] & string;

/** Of one series, in the unit of its row. */
export interface BenchFigures {
  median: number;
  p99: number;
}

/** The result of one row. */
export interface BenchResult {
  /** Pairs of measurements, taken in turn. */
  rounds: number;
  ours: BenchFigures;
  bare: BenchFigures;
  /** Of the medians, with its 95 % interval; null if the other side measured zero, as it does if nothing is lost. */
  ratio: { median: number; low: number; high: number } | null;
}

/** One run of a scenario, as `docs/reference/performance.json` stores it. */
export interface BenchRun {
  rows: Record<string, BenchResult>;
  date: string;
  commit: string;
  machine: string;
  /** The versions on which the ratio depends. */
  versions: Record<string, string>;
  /** The load average over a minute, when it began and when it ended. */
  load: [number, number];
}

export type BenchResults = Partial<Record<BenchScenarioName, BenchRun>>;
