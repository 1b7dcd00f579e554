/** The bad lines of `npm run lab -- line`: the single source for the command, its test and the page of measurements. */

/** The effect of a line on each packet, the same in both directions. */
export interface NetworkCase {
  /** Delay of a round trip, both directions together. */
  roundTripMs: number;
  /** A round trip is faster or slower by up to this much, packet by packet, so packets overtake each other. */
  jitterMs: number;
  /** Share of lost packets in each direction. */
  loss: number;
  /** Share of duplicated packets. */
  twice?: number;
  /** Duration of an outage in the middle. */
  outageMs?: number;
}

const network = (roundTripMs: number, jitterMs: number, loss: number): NetworkCase => ({ roundTripMs, jitterMs, loss });

/** A typical line with a good margin. Tests check everything that must work on it. */
export const USUAL_NETWORK: NetworkCase = { ...network(100, 50, 0.05), twice: 0.01 };

export const NETWORK_CASES: Record<string, NetworkCase> = {
  direct: network(0, 0, 0),
  'usual, no loss': network(100, 50, 0),
  'usual, 1 % lost': network(100, 50, 0.01),
  'usual, 5 % lost, 1 % twice': USUAL_NETWORK,
  'usual, 10 % lost': network(100, 50, 0.1),
  'usual, 20 % lost': network(100, 50, 0.2),
  'usual, 30 % lost': network(100, 50, 0.3),
  'near, 5 % lost': network(0, 0, 0.05),
  '50 ms, 5 % lost': network(50, 25, 0.05),
  '150 ms, 5 % lost': network(150, 50, 0.05),
  '300 ms, no loss': network(300, 50, 0),
  '300 ms, 1 % lost': network(300, 50, 0.01),
  '300 ms, 5 % lost': network(300, 50, 0.05),
  'usual, 200 ms of jitter': network(250, 200, 0.01),
  'outage of 0.5 s': { ...network(50, 10, 0), outageMs: 500 },
  'outage of 1 s': { ...network(50, 10, 0), outageMs: 1_000 },
  'outage of 3 s': { ...network(50, 10, 0), outageMs: 3_000 },
  'outage of 10 s': { ...network(50, 10, 0), outageMs: 10_000 },
};

/** The results of a stream of poses, of the operator's held velocity and of a watcher's picture over one line. */
export interface NetworkResult {
  /** Poses that were sent, 50 per second, and those of them whose answer came. */
  sent: number;
  answered: number;
  /** Poses that the robot rejected, because newer ones had already arrived. */
  overtaken: number;
  /** From the sending of a pose until the robot accepts it, by one clock. */
  lateMs: { median: number; p99: number };
  /** The distance of the arm from the pose that is sent at that moment. */
  errorRad: { median: number; p99: number };
  /** How often, and how long, the watchdog let the arms go limp while poses were sent. */
  limp: number;
  limpMs: number;
  /** Older poses that the robot followed after newer ones. */
  backwards: number;
  /**
   * From the end of an outage until the robot accepts the next pose; null without an outage, or if the stream had already ended.
   */
  backAfterMs: number | null;
  /** Why the stream ended early. */
  failure: string | null;
  /** From the last pose until the robot controls its arms again and stands; null if it did not. */
  standsAfterMs: number | null;
  /** From the cut of the line until the robot stops holding a velocity. */
  drivenAfterCutMs: number;
  /** The age that a watcher's page showed for its picture. */
  watch: {
    /** How much older the picture really was: at least the transit time of the line, which no clock can measure. */
    olderMs: { median: number; p99: number };
    /** Samples in which the page labelled an older picture as live. */
    wrong: number;
    /** Samples that drew an older picture than the previous sample. */
    back: number;
    looks: number;
    /** The share of lost packets that it showed at the end, for the last 10 s, and the share of the whole time. */
    toldLoss: number;
    trueLoss: number;
  };
}

export interface NetworkResults {
  date: string;
  commit: string;
  machine: string;
  load: [number, number];
  cases: Record<string, NetworkResult>;
}

export const NETWORK_HEAD = [
  'connection',
  'poses answered',
  'late, ms: median, 99 %',
  'arm off, rad: median, 99 %',
  'limp: times, total',
  'recovers after an outage',
  'drives after the cut',
  'watched: older than shown, ms: median, 99 %',
  'watched: loss shown, actual',
];

/** Returns the cells of the table, one row per line. */
export const networkRowsOf = (results: NetworkResults | null): string[][] =>
  Object.keys(NETWORK_CASES).map((name) => networkRowOf(name, results?.cases[name]));

export function networkRowOf(name: string, result: NetworkResult | undefined): string[] {
  if (!result) return [name, '**not run**', '', '', '', '', '', ''];
  const { sent, answered, lateMs, errorRad, limp, limpMs, backAfterMs, failure, drivenAfterCutMs, watch } = result;
  const whole = (value: number): string => value.toFixed(0);
  return [
    name,
    `${answered} of ${sent}`,
    `${whole(lateMs.median)}, ${whole(lateMs.p99)}`,
    `${errorRad.median.toFixed(2)}, ${errorRad.p99.toFixed(2)}`,
    limp === 0 ? 'never' : `${limp}, ${(limpMs / 1_000).toFixed(1)} s`,
    failure !== null ? `the stream ended: ${failure}` : backAfterMs === null ? '' : `${whole(backAfterMs)} ms`,
    `${whole(drivenAfterCutMs)} ms`,
    `${whole(watch.olderMs.median)}, ${whole(watch.olderMs.p99)}`,
    `${whole(watch.toldLoss * 100)} %, ${whole(watch.trueLoss * 100)} %`,
  ];
}

/** Returns how many samples of all lines' watchers were wrong, as text. */
export function wrongLooks(results: NetworkResults | null): string {
  const watches = Object.values(results?.cases ?? {}).map(({ watch }) => watch);
  const sum = (of: (watch: NetworkResult['watch']) => number): number => watches.reduce((total, watch) => total + of(watch), 0);
  return `In ${sum(({ looks }) => looks)} samples of the watcher, the page labelled a picture *live* ${sum(({ wrong }) => wrong)} times although it was older than one second plus the longest delay. It drew an older picture after a newer one ${sum(({ back }) => back)} times.`;
}
