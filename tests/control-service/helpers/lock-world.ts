import { type LockOutcome, type LockStep, takingSteps } from '../../../src/control-service/process-lock-steps.ts';

interface Setting {
  /** The dead process that the lock's file names at first. Null: there is no file. */
  holder: string | null;
  processes: number;
  /** The number of processes that may die, each between any two steps. */
  deaths: number;
  /** Whether a holder also releases the lock. */
  releases: boolean;
}

type Steps = Generator<LockStep, LockOutcome, unknown>;
const PATH = 'lock';
interface Process {
  /** The results that it has seen so far, as JSON: they determine its next step. */
  seen: string;
  state: 'taking' | 'holding' | 'refused' | 'released' | 'dead';
}

/**
 * Processes that take one lock in a simulated folder, one step after the other in every possible order. States that
 * were visited before are skipped.
 */
export class LockWorld {
  private readonly seen = new Set<string>();
  private readonly wrong = new Set<string>();
  private readonly next = new Map<string, LockStep | LockOutcome>();
  private readonly setting: Setting;
  private readonly steps: (path: string, me: string) => Steps;

  constructor(setting: Setting, way: 'real' | 'careless' = 'real') {
    this.setting = setting;
    this.steps = way === 'real' ? takingSteps : carelessSteps;
  }

  explore(): { states: number; wrong: string[] } {
    const files = new Map<string, string>();
    if (this.setting.holder !== null) files.set(PATH, this.setting.holder);
    const processes = Array.from({ length: this.setting.processes }, (): Process => ({ seen: '[]', state: 'taking' }));
    this.visit(files, processes, this.setting.deaths);
    return { states: this.seen.size, wrong: [...this.wrong] };
  }

  private visit(files: Map<string, string>, processes: Process[], deaths: number): void {
    const key = [...[...files].sort().flat(), ...processes.map(({ seen, state }) => seen + state), deaths].join('|');
    if (this.seen.has(key)) return;
    this.seen.add(key);
    if (processes.filter(({ state }) => state === 'holding').length > 1) this.wrong.add('two processes hold the lock');
    let isOver = true;
    for (const [i, process] of processes.entries()) {
      // The processes are alike, so it is enough that they begin in this order.
      const isFresh = ({ seen, state }: Process) => seen === '[]' && state === 'taking';
      const before = processes[i - 1];
      if (before && isFresh(before) && isFresh(process)) {
        isOver = false;
        continue;
      }
      const become = (next: Process) => processes.map((other, j) => (i === j ? next : other));
      if (process.state === 'taking') {
        isOver = false;
        const folder = new Map(files);
        this.visit(folder, become(this.step(i, process, folder, processes)), deaths);
      } else if (process.state === 'holding' && this.setting.releases) {
        const folder = new Map(files);
        folder.delete(PATH);
        this.visit(folder, become({ seen: '[]', state: 'released' }), deaths);
      }
      if (deaths > 0 && !isFresh(process) && (process.state === 'taking' || process.state === 'holding')) {
        this.visit(new Map(files), become({ seen: '[]', state: 'dead' }), deaths - 1);
      }
    }
    if (isOver) this.judgeEnd(files, processes);
  }

  /** Runs one step of a process on the folder. */
  private step(i: number, { seen }: Process, folder: Map<string, string>, processes: Process[]): Process {
    const step = this.nextOf(i, seen);
    if ('kind' in step) throw new Error('It had ended before.');
    const seenNow = JSON.stringify([...JSON.parse(seen), carryOut(step, folder, processes)]);
    const after = this.nextOf(i, seenNow);
    if ('op' in after) return { seen: seenNow, state: 'taking' };
    return { seen: '[]', state: after.kind === 'taken' ? 'holding' : 'refused' };
  }

  /** Returns the next step of a process that has seen all these results. */
  private nextOf(i: number, seen: string): LockStep | LockOutcome {
    const key = `${i} ${seen}`;
    const known = this.next.get(key);
    if (known) return known;
    const steps = this.steps(PATH, `process ${i}`);
    let next = steps.next();
    for (const answer of JSON.parse(seen)) next = steps.next(answer);
    this.next.set(key, next.value);
    return next.value;
  }

  /** Checks that a lock without a living holder can be taken once all processes have ended. */
  private judgeEnd(files: Map<string, string>, processes: Process[]): void {
    const someoneHolds = processes.some(({ state }) => state === 'holding');
    const someoneTriedAndNobodyDied = processes.every(({ state }) => state === 'refused');
    if (someoneTriedAndNobodyDied) this.wrong.add('a free lock was not taken');
    const fresh = this.steps(PATH, 'fresh');
    let next = fresh.next();
    for (let count = 0; !next.done; count += 1) {
      if (count > 100) {
        this.wrong.add('a fresh process comes to no end');
        return;
      }
      next = fresh.next(carryOut(next.value, files, processes));
    }
    if ((next.value.kind === 'taken') === someoneHolds) this.wrong.add(`a fresh process: ${next.value.kind}`);
    if (next.value.kind === 'taken' && files.size > 1) this.wrong.add(`files are left: ${[...files.keys()].sort().join(', ')}`);
  }
}

function carryOut(step: LockStep, folder: Map<string, string>, processes: Process[]): unknown {
  switch (step.op) {
    case 'read':
      return folder.get(step.path) ?? null;
    case 'is-alive': {
      const [, i] = /^process (\d+)$/.exec(step.text) ?? [];
      return i !== undefined && processes[Number(i)]?.state !== 'dead';
    }
    case 'create': {
      if (folder.has(step.path)) return false;
      folder.set(step.path, step.text);
      return true;
    }
    case 'replace':
      folder.set(step.path, step.text);
      return null;
    case 'remove':
      folder.delete(step.path);
      return null;
    case 'list':
      return [...folder.keys()].filter((path) => path.startsWith(`${PATH}.after-`)).sort();
  }
}

/** A faulty procedure: a slow process removes the lock of a faster one. */
function* carelessSteps(path: string, me: string): Steps {
  for (;;) {
    if (yield { op: 'create', path, text: me }) return { kind: 'taken' };
    const holder = (yield { op: 'read', path }) as string | null;
    if (holder === null) continue;
    if (yield { op: 'is-alive', text: holder }) return { kind: 'held', by: holder };
    yield { op: 'remove', path };
  }
}
