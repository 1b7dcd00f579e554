/** The parts of `npm run lab -- proof` and their sizes: the one source for the command, for its tests and for docs/proof.md. */

/** `smoke` is what `npm test` runs, `nightly` fits an hour, `full` may take hours. */
export const PROOF_SIZES = ['smoke', 'nightly', 'full'] as const;
export type ProofSize = (typeof PROOF_SIZES)[number];

export const PROOF_NAMES = [
  'storm',
  'races',
  'faults',
  'replays',
  'tasks',
  'kills',
  'http',
  'calls',
  'sfu-calls',
  'envelopes',
  'reloads',
  'handovers',
  'soak',
] as const;
export type ProofName = (typeof PROOF_NAMES)[number];

export interface ProofEntry {
  /** The promise, in a sentence or two. */
  promised: string;
  /** How it is judged, and at which level. */
  judged: string;
  /** The things that a size counts. */
  unit: string;
  sizes: Record<ProofSize, number>;
}

export const PROOF_CATALOGUE: Record<ProofName, ProofEntry> = {
  storm: {
    promised: 'Every promise P1 to P12 holds for whatever an agent asks.',
    judged:
      'The seeded suites of `npm run lab -- storm`, by an oracle that reads the physics world. Some suites judge calls, others steps.',
    unit: 'suites',
    sizes: { smoke: 1, nightly: 23, full: 23 },
  },
  races: {
    promised: 'One runtime acts for a robot: never two at once, never none for long.',
    judged:
      'Tabs of one browser and of two race for one robot in Chromium, on a real SFU, half of them with a platform that they ask. Every call is carried out once, no tab acts after the next one did, one is left, and it answers.',
    unit: 'races',
    sizes: { smoke: 4, nightly: 150, full: 1_000 },
  },
  faults: {
    promised:
      'After a fault of the SFU or the network calls are answered 5 s after the fault is over. No action runs twice, none is lost, and a robot that nobody can reach stands.',
    judged:
      'Ten kinds of faults at a worker process on a real SFU, with a client that asks again until it is answered; some at a tab in Chromium.',
    unit: 'faults',
    sizes: { smoke: 3, nightly: 100, full: 1_000 },
  },
  replays: {
    promised: 'The same seed and calls give the same state hash at every step, in Node and in Chromium.',
    judged:
      'A seeded agent plays 1,500 steps. The calls are replayed in fresh worlds and in ones that were reset, in Node and in a worker of Chromium.',
    unit: 'replays',
    sizes: { smoke: 3, nightly: 50, full: 1_000 },
  },
  tasks: {
    promised:
      'Every task that comes along is false at the start, solved by the planner and not by chance; the proof of a run is true, in Node and in Chromium, and not when a byte of it is another.',
    judged:
      'Every task in the worlds of twenty seeds: an agent that does nothing, the planner under the judge and under an oracle that shares no code with it, its proof, and a blind agent that calls in another world what the planner called here. Evaluations are made again in other processes. Evaluations of further seeds and worlds of every scene are made again in Chromium.',
    unit: 'proofs',
    sizes: { smoke: 44, nightly: 280, full: 1_040 },
  },
  kills: {
    promised: 'No acknowledged write is lost when the control service is killed, and it starts again by itself.',
    judged: '`kill -9` while it writes and while it opens its database; `npm run lab -- kills`.',
    unit: 'kills',
    sizes: { smoke: 8, nightly: 100, full: 1_000 },
  },
  http: {
    promised: 'No HTTP request brings about a 5xx that is not documented, or an answer that does not fit the description.',
    judged:
      'Valid and malformed requests, generated from the description of both faces, with the keys of two accounts and without a key, at the service in process on PGlite; no account reads what another one wrote. The fuzzer `npm run lab -- fuzz` uses another generator.',
    unit: 'requests',
    sizes: { smoke: 200, nightly: 20_000, full: 1_000_000 },
  },
  calls: {
    promised:
      'Every call to a runtime is answered once, with JSON that fits into a reply, whatever is sent; memory does not grow with it.',
    judged:
      'Seeded calls, most of them malformed, at runtimes of both profiles in process. The heap is measured after a forced collection, and its slope is judged.',
    unit: 'calls',
    sizes: { smoke: 2_000, nightly: 250_000, full: 10_000_000 },
  },
  'sfu-calls': {
    promised: 'The same holds over the SFU, for the process of a robot.',
    judged:
      'Seeded calls at a worker process over a real SFU, sixteen at once. Heap and resident memory of the process are measured.',
    unit: 'calls',
    sizes: { smoke: 2_000, nightly: 10_000, full: 100_000 },
  },
  envelopes: {
    promised: 'No forged envelope reaches a robot, and each gets one reply.',
    judged: 'Envelopes forged in 22 ways at the desk that opens them; every right one among them gets through.',
    unit: 'envelopes',
    sizes: { smoke: 10_000, nightly: 100_000, full: 1_000_000 },
  },
  reloads: {
    promised:
      'After a reload or a crash of the page the world goes on where it was, equal in every bit; at most a second is missing.',
    judged:
      'A page in Chromium, with an agent at work in its room, is reloaded, left for another page or crashed at a random moment. What the browser kept is restored in Node, and becomes, by the same steps, the world that the next page keeps first: the state hashes are equal.',
    unit: 'reloads',
    sizes: { smoke: 3, nightly: 20, full: 200 },
  },
  handovers: {
    promised:
      'When the page that is the robot goes away, the next page becomes the robot without a person. A live holder loses the robot only to a take-over.',
    judged:
      'Twelve kinds of hand-overs between pages of Chromium on a real platform: closed, killed, reloaded, left, taken over, asleep for 15 s, and a main thread that stands for 8 s. In the end one page is the robot and the others show the card.',
    unit: 'hand-overs',
    sizes: { smoke: 12, nightly: 60, full: 240 },
  },
  soak: {
    promised: 'A hidden tab keeps time, serves calls and does not grow, though something fails every minute.',
    judged:
      'A truly hidden page in Chromium, one fault a minute, calls in between. Heaps of page and workers after a forced collection, and the resident memory of its process.',
    unit: 'minutes',
    sizes: { smoke: 1, nightly: 10, full: 120 },
  },
};

/** Median, 95 % and largest of a series, in milliseconds. */
export interface TimesMs {
  count: number;
  median: number;
  p95: number;
  max: number;
}

/** The result of one part at one size, as docs/proof.json keeps it. */
export interface ProofRun {
  size: ProofSize;
  /** Units done of those that the size asks for. */
  done: number;
  wanted: number;
  /** Judged cases. */
  cases: number;
  failureCount: number;
  /** The first of them. */
  failures: string[];
  /** Findings about them since, by hand; a new run starts without. */
  remark?: string;
  times: Record<string, TimesMs>;
  /** The measurements, in a sentence. */
  measured: string;
  tookS: number;
  /** The machine's load while it ran: processes that wanted a core. */
  load?: { median: number; max: number };
  /** Day of the last slice, UTC. */
  date: string;
  commit: string;
  machine: string;
}

/** By part: the newest run of each size that is kept. */
export type ProofResults = Partial<Record<ProofName, Partial<Record<ProofSize, ProofRun>>>>;
