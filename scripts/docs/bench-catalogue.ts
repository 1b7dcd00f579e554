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
      ours: 'a simulated second without a page: an agent asks for the state once and walks',
      bare: "Rapier's own steps of the same bodies",
      unit: 'ms',
      aimRatio: null,
      aim: 12.5,
    },
  },
  ticks: {
    loaded: {
      ours: 'how late a step is, 99 of 100, while eight callers ask for the state 400 times a second',
      bare: 'the same of a host whose world is empty',
      unit: 'ms',
      aimRatio: 2,
    },
  },
  planner: {
    warehouse: {
      ours: 'the shortest way between two places of the warehouse, cubes included',
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
      bare: 'that route when it also asks the database the same questions, in plain SQL',
      unit: 'ms',
      aimRatio: 2,
    },
  },
  invoke: {
    instant: {
      ours: 'an instant skill, from a client through the SFU to the page and back',
      bare: "LiveKit's own call of an echo, by the same way",
      unit: 'ms',
      aimRatio: 1.1,
    },
    worker: {
      ours: 'the same',
      bare: 'that call, when a worker of the page gives the echo, as the robot is in one',
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
      bare: "the same stage drawn once and made a JPEG there, and as many bytes by LiveKit's own byte stream",
      unit: 'ms',
      aimRatio: 1.1,
    },
    stall: {
      ours: 'the longest time in which the page answers nobody at the window, while a picture is taken',
      bare: 'the same while no picture is taken',
      unit: 'ms',
      aimRatio: 2,
    },
    transfer: {
      ours: 'a megabyte of a picture, from its first chunk to its last',
      bare: "a megabyte of LiveKit's own byte stream, by the same way",
      unit: 'ms',
      aimRatio: 1.2,
    },
  },
  hidden: {
    state: {
      ours: 'the state, asked of a page that is hidden',
      bare: 'the same, asked of a page that is seen',
      unit: 'ms',
      aimRatio: 1.2,
    },
  },
  open: {
    gate: { ours: 'open the page, until the gate takes a key', bare: 'open a text file', unit: 'ms', aimRatio: null, aim: 500 },
    alone: {
      ours: 'open the page, until the robot is ready in the tab alone',
      bare: 'open a text file',
      unit: 'ms',
      aimRatio: null,
      aim: 1_500,
    },
    aloneSight: {
      ours: 'open the page, until the scene of the tab alone is seen, if only in plain boxes',
      bare: 'open a text file',
      unit: 'ms',
      aimRatio: null,
      aim: 3_000,
    },
    room: {
      ours: 'open a link, until a client in the room had its first skill done',
      bare: 'open a text file',
      unit: 'ms',
      aimRatio: null,
      aim: 2_000,
    },
    roomSight: {
      ours: 'open a link, until the scene is seen, if only in plain boxes',
      bare: 'open a text file',
      unit: 'ms',
      aimRatio: null,
      aim: 3_000,
    },
  },
  slow: {
    gate: {
      ours: 'open the page on a line of 10 Mbit/s with 40 ms there and back, its thread 4 × slower, until the gate takes a key',
      bare: 'open a text file by the same line',
      unit: 'ms',
      aimRatio: null,
      aim: 5_000,
    },
    alone: {
      ours: 'the same, until the robot is ready in the tab alone',
      bare: 'open a text file by the same line',
      unit: 'ms',
      aimRatio: null,
      aim: 10_000,
    },
  },
  watchers: {
    ten: {
      ours: 'how old a state is when it comes, 99 of 100, with ten who watch a robot that moves',
      bare: 'the same with one',
      unit: 'ms',
      aimRatio: null,
      aim: 250,
    },
    fifty: { ours: 'the same with fifty', bare: 'the same with one', unit: 'ms', aimRatio: null, aim: 250 },
    hundred: { ours: 'the same with a hundred', bare: 'the same with one', unit: 'ms', aimRatio: null, aim: 250 },
    missing: {
      ours: 'states of a hundred that do not come, of those that are due',
      bare: 'the same with one',
      unit: '%',
      aimRatio: null,
      aim: 1,
    },
    bytes: {
      ours: 'what each is sent in a second, without the headers of the way',
      bare: 'the same states, each told whole',
      unit: 'kB',
      aimRatio: null,
      aim: 20,
    },
    core: {
      ours: 'how much of a core the process of a robot takes that moves and is watched by a hundred',
      bare: 'the same while nobody watches',
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
      ours: 'memory of `npm start` at rest, when it has built the page: npm, service, SFU and its guard',
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
