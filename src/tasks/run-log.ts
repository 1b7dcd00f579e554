import {
  DIGEST_DIGITS,
  DIGEST_EVERY_STEPS,
  DIGESTS_MAX,
  PROOF_CALLS_MAX,
  PROOF_INPUTS_MAX,
  PROOF_MAX_BYTES,
  type ProofCall,
  type ProofCaller,
  type ProofFile,
  type ProofInput,
} from '../protocol/proof-file.ts';

/** What a run writes down: its inputs with tables of calls and callers, each different one once. It stays below the size of a proof. */
export interface RunLog {
  add(input: ProofInput): void;
  /** Keeps a place for a call, whose effect shows only later; what follows comes after it. */
  reserve(step: number): CallPlace;
  callerIndex(caller: ProofCaller): number;
  /** The one who drives was heard at this step. Only the last such moment before each other input counts, and one a second. */
  heard(step: number): void;
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
const HEARD_EVERY_STEPS = 120;
/** Left for the rest of the file. */
const BYTES_FOR_THE_REST = 64 * 1024;

export function createRunLog(): RunLog {
  const inputs: (ProofInput | null)[] = [];
  const callers = createTable<ProofCaller>();
  const calls = createTable<ProofCall>();
  let inputBytes = 0;
  let isFull = false;
  let heardStep: number | null = null;
  let writtenHeardStep = Number.NEGATIVE_INFINITY;

  function put(input: ProofInput, at: number): void {
    inputBytes += JSON.stringify(input).length + 1;
    const bytes = inputBytes + callers.bytes() + calls.bytes();
    isFull ||= bytes > PROOF_MAX_BYTES - BYTES_FOR_THE_REST || at >= PROOF_INPUTS_MAX || calls.items.length > PROOF_CALLS_MAX;
    if (!isFull) inputs[at] = input;
  }

  function writeHeard(): void {
    if (heardStep === null) return;
    put([heardStep, 'heard'], inputs.length);
    writtenHeardStep = heardStep;
    heardStep = null;
  }

  return {
    add(input) {
      writeHeard();
      put(input, inputs.length);
    },
    reserve(step) {
      writeHeard();
      const at = inputs.push(null) - 1;
      return {
        write: (call, caller) => put([step, 'call', calls.index({ ...call, caller: callers.index(caller) })], at),
        leaveOut() {
          if (at === inputs.length - 1) inputs.pop();
        },
      };
    },
    callerIndex: callers.index,
    heard(step) {
      if (heardStep !== null && step - writtenHeardStep >= HEARD_EVERY_STEPS) writeHeard();
      heardStep = step;
    },
    get isFull() {
      return isFull;
    },
    written() {
      const kept = inputs.filter((input) => input !== null);
      if (heardStep !== null) kept.push([heardStep, 'heard']);
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
  /** Tells whether one is due after so many steps. */
  isDue(steps: number): boolean;
  /** @param hash the world's state hash */
  add(hash: string): void;
  written(): ProofFile['digests'];
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
