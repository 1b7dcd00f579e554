/**
 * The parts of `npm run lab -- proof` and their sizes: the single source for the command, its tests and the page of guarantees.
 */

/** `smoke` is the size in `npm test`, `nightly` fits into an hour, `full` may take hours. */
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
  'agent-stops',
  'agent-once',
  'agent-progress',
  'agent-views',
  'agent-exam',
  'agent-memory',
] as const;
export type ProofName = (typeof PROOF_NAMES)[number];

export interface ProofEntry {
  /** The promise, in a sentence or two. */
  promised: string;
  /** How it is judged, and at which level. */
  judged: string;
  /** The unit that a size counts. */
  unit: string;
  sizes: Record<ProofSize, number>;
}

export const PROOF_CATALOGUE: Record<ProofName, ProofEntry> = {
  storm: {
    promised: 'Promises P1 to P12 are kept, whatever an agent asks.',
    judged: 'The seeded suites of `npm run lab -- storm`. An oracle that reads the physics world judges calls or steps.',
    unit: 'suites',
    sizes: { smoke: 1, nightly: 23, full: 23 },
  },
  races: {
    promised: 'Exactly one runtime acts for a robot. A gap between two is short.',
    judged:
      'Tabs of one browser and of two browsers race for one robot in Chromium, on a real SFU; half of them can ask a platform. Every call runs once. No tab acts after the next one has acted. One tab is left, and it answers.',
    unit: 'races',
    sizes: { smoke: 4, nightly: 150, full: 1_000 },
  },
  faults: {
    promised:
      'The robot answers calls within 5 s after a fault of the SFU or the network ends. No action runs twice or is lost. A robot that no client can reach stands still.',
    judged:
      'Ten kinds of faults at a worker process on a real SFU, with a client that retries until it has an answer. Some faults are at a tab in Chromium.',
    unit: 'faults',
    sizes: { smoke: 3, nightly: 100, full: 1_000 },
  },
  replays: {
    promised: 'The same seed and calls give the same state hash at every step, in Node and in Chromium.',
    judged:
      'A seeded agent acts for 1,500 steps. Its calls are replayed in new worlds and in worlds after a reset, in Node and in a worker of Chromium.',
    unit: 'replays',
    sizes: { smoke: 3, nightly: 50, full: 1_000 },
  },
  tasks: {
    promised:
      'Every task of the product is unsolved at the start. The planner solves it, and random actions do not. The proof of a run verifies in Node and in Chromium, and fails to verify when one byte is changed.',
    judged:
      'Every task in the worlds of twenty seeds, with an idle agent, with the planner, and with an agent that repeats the calls of the planner in another world. An oracle that shares no code with the judge checks the planner. Evaluations are repeated in other processes, and evaluations of further seeds and worlds of every scene in Chromium.',
    unit: 'proofs',
    sizes: { smoke: 44, nightly: 280, full: 1_040 },
  },
  kills: {
    promised: 'No acknowledged write is lost when the control service is killed. The service starts again without help.',
    judged: '`kill -9` while the service writes and while it opens its database (`npm run lab -- kills`).',
    unit: 'kills',
    sizes: { smoke: 8, nightly: 100, full: 1_000 },
  },
  http: {
    promised: 'No HTTP request causes an undocumented 5xx, or a response that does not match the OpenAPI description.',
    judged:
      'Valid and malformed requests, generated from both OpenAPI descriptions, with the keys of two accounts and without a key, on a service in process with PGlite. No account reads the data of another. The fuzzer `npm run lab -- fuzz` uses another generator.',
    unit: 'requests',
    sizes: { smoke: 200, nightly: 20_000, full: 1_000_000 },
  },
  calls: {
    promised: 'A runtime answers every call once, with JSON that fits into a reply, whatever is sent. Its memory does not grow.',
    judged:
      'Seeded calls, most of them malformed, at runtimes of both profiles in process. The slope of the heap after forced collections is judged.',
    unit: 'calls',
    sizes: { smoke: 2_000, nightly: 250_000, full: 10_000_000 },
  },
  'sfu-calls': {
    promised: 'The process of a robot keeps the same promise over the SFU.',
    judged:
      'Seeded calls to a worker process over a real SFU, sixteen at once. Heap and resident memory of the process are measured.',
    unit: 'calls',
    sizes: { smoke: 2_000, nightly: 10_000, full: 100_000 },
  },
  envelopes: {
    promised: 'No forged envelope reaches a robot. Each gets one reply.',
    judged: 'Envelopes forged in 22 ways. Every valid envelope among them is accepted.',
    unit: 'envelopes',
    sizes: { smoke: 10_000, nightly: 100_000, full: 1_000_000 },
  },
  reloads: {
    promised:
      'After a reload or a crash of the page, the world resumes in the same state, bit by bit. At most one second is lost.',
    judged:
      'A page in Chromium with a working agent is reloaded, left or crashed at a random moment. The stored world is restored in Node and advanced to the first world that the next page stores. Their state hashes are equal.',
    unit: 'reloads',
    sizes: { smoke: 3, nightly: 20, full: 200 },
  },
  handovers: {
    promised:
      'When the page that is the robot closes, the next page becomes the robot without a person. A live page loses the robot only to a take-over.',
    judged:
      'Twelve kinds of hand-overs between pages of Chromium on a real platform: closed, killed, reloaded, left, taken over, asleep for 15 s, or with a main thread that is blocked for 8 s. At the end, one page is the robot, and the others show a card.',
    unit: 'hand-overs',
    sizes: { smoke: 12, nightly: 60, full: 240 },
  },
  soak: {
    promised: 'A hidden tab keeps real time, serves calls and does not grow, with one fault every minute.',
    judged:
      'A hidden page in Chromium, with one fault a minute and calls in between. The heaps of page and workers after forced collections and the resident memory of the process are measured.',
    unit: 'minutes',
    sizes: { smoke: 1, nightly: 10, full: 120 },
  },
  'agent-stops': {
    promised:
      'A robot that an agent moves is at rest within 0.5 s of simulated time after the agent cancels its call, breaks the response, or dies, and after the server ends. If the agent is silent, the robot is at rest at the deadline of its action.',
    judged:
      'Five ends of a call over standard input and output, HTTP of 2026-07-28, and HTTP of 2025-11-25 in a session. The velocities of the bodies are judged from the moment at which the client acts. Killed clients are processes. Where the server is a process too, the time begins when the server hears of the end.',
    unit: 'ends of calls',
    sizes: { smoke: 15, nightly: 1_500, full: 15_000 },
  },
  'agent-once': {
    promised:
      'A call of an agent with an action_id runs once, however often its response breaks. Without an action_id, the same call runs again only if the reply to the first had left the server.',
    judged:
      'Calls over HTTP of both generations are broken at a random moment, and calls over standard input and output are cancelled. Each is followed by the same call. The actions that begin at the robot are counted.',
    unit: 'broken calls',
    sizes: { smoke: 50, nightly: 1_000, full: 10_000 },
  },
  'agent-progress': {
    promised:
      'An agent receives progress that rises, only with the token of a call without a result. Each message of the server is valid.',
    judged:
      'A watcher of the bytes that the server sends over standard input and output and over HTTP of both generations. Calls overlap, and some are cancelled. Each message is checked against the schemas of the specification.',
    unit: 'calls',
    sizes: { smoke: 90, nightly: 2_000, full: 10_000 },
  },
  'agent-views': {
    promised:
      'An agent can solve tasks from what its client shows: only the text, only the structured data, or both. One sentence is enough to fetch and sort things.',
    judged:
      'The planner acts through the tools of the protocol, in 40 tasks and five seeds with each view, and with one sentence where ids are enough. It knows the goal, guesses sizes that no tool shows, and reads everything else from the shown bytes. The judge of the task decides.',
    unit: 'runs',
    sizes: { smoke: 2, nightly: 40, full: 695 },
  },
  'agent-exam': {
    promised: 'No byte that an agent receives in an exam depends on the goal, the score or the judge of its task.',
    judged:
      'In the world of each task, the same calls are made twice: with the task, and with another goal, title and budget. All bytes must be equal, and must not name the id, the title or a part of the judge.',
    unit: 'tasks',
    sizes: { smoke: 2, nightly: 40, full: 40 },
  },
  'agent-memory': {
    promised: 'A server for an agent grows by at most 20 MB in a day of calls and restarts.',
    judged:
      'Reads and restarts of the world over one connection. The heap and the memory outside of it are measured after forced collections.',
    unit: 'calls',
    sizes: { smoke: 500, nightly: 20_000, full: 200_000 },
  },
};

/** Median, 95 % and largest of a series, in milliseconds. */
export interface TimesMs {
  count: number;
  median: number;
  p95: number;
  max: number;
}

/** The result of one part at one size, as `docs/reference/proof.json` stores it. */
export interface ProofRun {
  size: ProofSize;
  /** Completed units, of those that the size requires. */
  done: number;
  wanted: number;
  /** Judged cases. */
  cases: number;
  failureCount: number;
  /** The first of the failures. */
  failures: string[];
  /** Later findings about them, added by hand; a new run starts without any. */
  remark?: string;
  times: Record<string, TimesMs>;
  /** The measurements, in a sentence. */
  measured: string;
  tookS: number;
  /** The machine's load average while it ran. */
  load?: { median: number; max: number };
  /** Day of the last slice, UTC. */
  date: string;
  commit: string;
  /** `SIM_PROTOCOL` at that commit: a run with another number judged a different behaviour of the simulation. */
  simProtocol: number;
  machine: string;
}

/** By part: the newest stored run of each size. */
export type ProofResults = Partial<Record<ProofName, Partial<Record<ProofSize, ProofRun>>>>;
