/** The bad lines of `npm run lab -- line`: the one source for the command, for its test and for the page of measurements. */

/** What a line does to each packet, there and back alike. */
export interface LineCase {
  /** Of a round trip, both ways together. */
  roundTripMs: number;
  /** A round trip is faster or slower by up to this much, packet by packet: they overtake each other. */
  jitterMs: number;
  /** Share of the packets lost on each way. */
  loss: number;
  /** Share that comes twice. */
  twice?: number;
  /** Nothing passes for so long, in the middle. */
  outageMs?: number;
}

const line = (roundTripMs: number, jitterMs: number, loss: number): LineCase => ({ roundTripMs, jitterMs, loss });

/** The line that people usually have, with a good margin: what has to work on it has a test. */
export const USUAL_LINE: LineCase = { ...line(100, 50, 0.05), twice: 0.01 };

export const LINE_CASES: Record<string, LineCase> = {
  direct: line(0, 0, 0),
  'usual, no loss': line(100, 50, 0),
  'usual, 1 % lost': line(100, 50, 0.01),
  'usual, 5 % lost, 1 % twice': USUAL_LINE,
  'usual, 10 % lost': line(100, 50, 0.1),
  'usual, 20 % lost': line(100, 50, 0.2),
  'usual, 30 % lost': line(100, 50, 0.3),
  'near, 5 % lost': line(0, 0, 0.05),
  '50 ms, 5 % lost': line(50, 25, 0.05),
  '150 ms, 5 % lost': line(150, 50, 0.05),
  '300 ms, no loss': line(300, 50, 0),
  '300 ms, 1 % lost': line(300, 50, 0.01),
  '300 ms, 5 % lost': line(300, 50, 0.05),
  'usual, 200 ms of jitter': line(250, 200, 0.01),
  'outage of 0.5 s': { ...line(50, 10, 0), outageMs: 500 },
  'outage of 1 s': { ...line(50, 10, 0), outageMs: 1_000 },
  'outage of 3 s': { ...line(50, 10, 0), outageMs: 3_000 },
  'outage of 10 s': { ...line(50, 10, 0), outageMs: 10_000 },
};

/** What became of a stream of poses, of the seat's held velocity and of a watcher's picture over one line. */
export interface LineResult {
  /** Poses that were sent, of 50 in each second; and of them those whose answer came. */
  sent: number;
  answered: number;
  /** Poses that the robot refused, for newer ones had come before. */
  overtaken: number;
  /** From the sending of a pose until the robot takes it, by one clock. */
  lateMs: { median: number; p99: number };
  /** How far the arm is from the pose that is sent at that moment. */
  errorRad: { median: number; p99: number };
  /** How often, and how long, the watchdog let the arms go limp while poses were sent. */
  limp: number;
  limpMs: number;
  /** Older poses that the robot followed after newer ones. */
  backwards: number;
  /** From the end of an outage until the robot takes the next pose; null without an outage, and where the stream had ended before. */
  backAfterMs: number | null;
  /** Why the stream ended before its poses did. */
  failure: string | null;
  /** From the last pose until the robot has its arms back and stands; null where it did not. */
  standsAfterMs: number | null;
  /** From the moment that the line is cut until a held velocity is none. */
  drivenAfterCutMs: number;
  /** What a watcher's page told of the age of what it showed. */
  watch: {
    /** How much older it was in truth: at least the line's own way, which no clock tells. */
    olderMs: { median: number; p99: number };
    /** Looks at which the page called live what was older than it may be. */
    wrong: number;
    /** Looks that drew what is older than what the look before drew. */
    back: number;
    looks: number;
    /** The share of lost packets that it told at the end, of the last 10 s, and the one of the whole time. */
    toldLoss: number;
    trueLoss: number;
  };
}

export interface LineResults {
  date: string;
  commit: string;
  machine: string;
  load: [number, number];
  cases: Record<string, LineResult>;
}

export const LINE_HEAD = [
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

/** The cells of the table, a row for each line. */
export const lineRowsOf = (results: LineResults | null): string[][] =>
  Object.keys(LINE_CASES).map((name) => lineRowOf(name, results?.cases[name]));

export function lineRowOf(name: string, result: LineResult | undefined): string[] {
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

/** How many looks of all lines' watchers were wrong, in words. */
export function wrongLooks(results: LineResults | null): string {
  const watches = Object.values(results?.cases ?? {}).map(({ watch }) => watch);
  const sum = (of: (watch: LineResult['watch']) => number): number => watches.reduce((total, watch) => total + of(watch), 0);
  return `In ${sum(({ looks }) => looks)} samples of the watcher, the page labelled a picture *live* ${sum(({ wrong }) => wrong)} times although it was older than one second plus the longest delay. It drew an older picture after a newer one ${sum(({ back }) => back)} times.`;
}
