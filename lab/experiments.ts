import type { Experiment } from './experiment.ts';

/** An entry of the list of experiments. */
export interface ListedExperiment {
  /** A one-sentence description. */
  about: string;
  /** How long it takes at full size on two cores. */
  takes: string;
  /** Loads the experiment, whose imports would slow down the list. */
  load(): Promise<Experiment>;
}

/** Every experiment by its name. */
export const EXPERIMENTS: Readonly<Record<string, ListedExperiment>> = {
  bench: {
    about: 'Measures the speed of the product against the bare limit or a peer, in turn within one run.',
    takes: '1 h',
    load: async () => (await import('./experiments/bench.ts')).bench,
  },
  frames: {
    about: 'Counts the WebGL calls, uploads and allocations of a frame of the warehouse, and checks them against limits.',
    takes: '2 min',
    load: async () => (await import('./experiments/frames.ts')).frames,
  },
  line: {
    about: "Streams poses, a held velocity and a watcher's picture over 18 bad lines.",
    takes: '6 min',
    load: async () => (await import('./experiments/line.ts')).line,
  },
  work: {
    about: 'Measures the performance of the page, minute by minute, while an agent works.',
    takes: '30 min',
    load: async () => (await import('./experiments/work.ts')).work,
  },
  robots: {
    about: 'Measures how many headless robots one process runs in real time, and their CPU and memory.',
    takes: '1 min',
    load: async () => (await import('./experiments/robots.ts')).robots,
  },
  storm: {
    about: 'Tests the promises with thousands of seeded calls, judged from the bodies of the physics.',
    takes: '3 h',
    load: async () => (await import('./experiments/storm.ts')).storm,
  },
  proof: {
    about: 'Tests the promises at large scale: races, faults, replays, kills, a million requests, hours of a hidden tab.',
    takes: '17 h',
    load: async () => (await import('./experiments/proof.ts')).proof,
  },
  kills: {
    about: 'Kills a control service while it opens its database and writes, and checks for lost writes.',
    takes: '20 min',
    load: async () => (await import('./experiments/kills.ts')).kills,
  },
  fuzz: {
    about:
      'Sends random requests to the control service and checks the answers against its OpenAPI description: both faces, both databases.',
    takes: '2 h',
    load: async () => (await import('./experiments/fuzz.ts')).fuzz,
  },
  conformance: {
    about: 'Runs the official conformance program of the Model Context Protocol against the control service.',
    takes: '1 min',
    load: async () => (await import('./experiments/conformance.ts')).conformance,
  },
  strips: {
    about: "Draws film strips of the robot's motions from three sides.",
    takes: '2 min',
    load: async () => (await import('./experiments/strips.ts')).strips,
  },
  screenshots: {
    about: 'Takes screenshots of the page in its states at three sizes.',
    takes: '10 min',
    load: async () => (await import('./experiments/screenshots.ts')).screenshots,
  },
};
