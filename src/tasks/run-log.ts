import {
  DIGEST_DIGITS,
  DIGEST_EVERY_STEPS,
  DIGESTS_MAX,
  PROOF_CALLERS_MAX,
  PROOF_CALLS_MAX,
  PROOF_INPUTS_MAX,
  PROOF_MAX_BYTES,
  type ProofCall,
  type ProofCaller,
  type ProofFile,
  type ProofInput,
  proofInputsMax,
} from '../protocol/files/proof-file.ts';

/** The record of a run: its inputs with tables of calls and callers, each different one once. It stays below the size of a proof. */
export interface RunLog {
  add(input: ProofInput): void;
  /** Keeps a place for a call, whose effect shows only later; what follows comes after it. */
  reserve(step: number): CallPlace;
  callerIndex(caller: ProofCaller): number;
  /** The one who drives was heard by a call that is not written down. Of such moments one a second is written, and the last. */
  heard(step: number, clockMs: number): void;
  /** The one who drives was heard by a call that is written down. */
  heardByCall(clockMs: number): void;
  /** Whether there was too much to write down. */
  readonly isFull: boolean;
  /** Returns what a proof has of it. */
  written(): Pick<ProofFile, 'callers' | 'calls' | 'inputs'>;
}

/** The place of a call in the log: it is written down there, or left out because it changed nothing. */
export interface CallPlace {
  write(call: Omit<ProofCall, 'caller'>, caller: ProofCaller): void;
  leaveOut(): void;
}

/** Signs of life are written down this far apart; they run out after seconds. */
const HEARD_EVERY_MS = 1_000;
/** Left for the rest of the file. */
const BYTES_FOR_THE_REST = 64 * 1024;

/** A place in the log; null while it is not known whether anything stands there. */
interface Entry {
  input: ProofInput | null;
}

export function createRunLog(): RunLog {
  const entries: Entry[] = [];
  const callers = createTable<ProofCaller>();
  const calls = createTable<ProofCall>();
  let inputBytes = 0;
  let isFull = false;
  /** The last sign of life that is not written down, and the entry after which it came. */
  let waiting: { step: number; clockMs: number; after: Entry | undefined } | null = null;
  let writtenHeardMs = Number.NEGATIVE_INFINITY;

  function put(input: ProofInput, entry: Entry): void {
    inputBytes += JSON.stringify(input).length + 1;
    const bytes = inputBytes + callers.bytes() + calls.bytes();
    isFull ||=
      bytes > PROOF_MAX_BYTES - BYTES_FOR_THE_REST ||
      entries.length >= Math.min(PROOF_INPUTS_MAX, proofInputsMax(input[0])) ||
      calls.items.length > PROOF_CALLS_MAX ||
      callers.items.length > PROOF_CALLERS_MAX;
    if (!isFull) entry.input = input;
  }

  function writeWaiting(): void {
    if (waiting === null) return;
    const entry: Entry = { input: null };
    entries.splice(waiting.after === undefined ? 0 : entries.lastIndexOf(waiting.after) + 1, 0, entry);
    put([waiting.step, 'heard'], entry);
    writtenHeardMs = waiting.clockMs;
    waiting = null;
  }

  return {
    add(input) {
      const entry: Entry = { input: null };
      entries.push(entry);
      put(input, entry);
    },
    reserve(step) {
      const entry: Entry = { input: null };
      entries.push(entry);
      return {
        write: (call, caller) => put([step, 'call', calls.index({ ...call, caller: callers.index(caller) })], entry),
        leaveOut() {
          // An input that waits for its place after this one waits after the previous one.
          const at = entries.lastIndexOf(entry);
          if (waiting?.after === entry) waiting.after = entries[at - 1];
          entries.splice(at, 1);
        },
      };
    },
    callerIndex: callers.index,
    heard(step, clockMs) {
      if (clockMs - writtenHeardMs >= HEARD_EVERY_MS) writeWaiting();
      waiting = { step, clockMs, after: entries.at(-1) };
    },
    heardByCall(clockMs) {
      if (clockMs - writtenHeardMs >= HEARD_EVERY_MS) writeWaiting();
      waiting = null;
      writtenHeardMs = clockMs;
    },
    get isFull() {
      return isFull;
    },
    written() {
      // A sign of life may still follow, so this changes nothing.
      const all = [...entries];
      if (waiting) {
        const at = waiting.after === undefined ? 0 : all.lastIndexOf(waiting.after) + 1;
        all.splice(at, 0, { input: [waiting.step, 'heard'] });
      }
      const kept = all.map(({ input }) => input).filter((input) => input !== null);
      return { callers: [...callers.items], calls: [...calls.items], inputs: kept };
    },
  };
}

function createTable<T>(): { readonly items: T[]; index(item: T): number; bytes(): number } {
  const items: T[] = [];
  const indexOf = new Map<string, number>();
  let bytes = 0;
  return {
    items,
    index(item) {
      const text = JSON.stringify(item);
      const known = indexOf.get(text);
      if (known !== undefined) return known;
      bytes += text.length + 1;
      indexOf.set(text, items.length);
      return items.push(item) - 1;
    },
    bytes: () => bytes,
  };
}

/** The digests of a run, at an interval that doubles when there are many. */
export interface Digests {
  /** Returns whether one is due after this number of steps. */
  isDue(steps: number): boolean;
  /** @param hash the world's state hash */
  add(hash: string): void;
  written(): ProofFile['digests'];
}

/** Returns the interval of the digests of a run of so many steps. */
export function digestsEverySteps(steps: number): number {
  let everySteps = DIGEST_EVERY_STEPS;
  while (Math.floor(steps / everySteps) >= DIGESTS_MAX) everySteps *= 2;
  return everySteps;
}

export function createDigests(): Digests {
  let digests: string[] = [];
  let everySteps = DIGEST_EVERY_STEPS;
  return {
    isDue: (steps) => steps % everySteps === 0,
    add(hash) {
      digests.push(hash.slice(0, DIGEST_DIGITS));
      if (digests.length < DIGESTS_MAX) return;
      digests = digests.filter((_, at) => at % 2 === 1);
      everySteps *= 2;
    },
    written: () => ({ every_steps: everySteps, hex: digests.join('') }),
  };
}
