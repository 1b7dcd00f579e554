import { errorFacts } from '../../protocol/error-facts.ts';
import type { KeptAction, KeptRuntime, Runtime } from '../../runtime/runtime.ts';
import type { Log } from '../log.ts';
import type { FiledWorld, WorldFile } from './world-file.ts';

/** Keeps the world of a robot over restarts of its process. */
export interface WorldKeeper {
  /**
   * Continues with the kept world and its actions, if there are any. Called before the robot's first step. Never rejects.
   * @param isFresh the robot begins anew, whatever was kept
   */
  goOn(runtime: Continued, isFresh?: boolean): Promise<void>;
  isKeeping(): boolean;
  /** Takes the runtime's present state, null when it is broken; the newest is written when the one before is. */
  keep(kept: KeptRuntime | null): void;
  /** Keeps an action that was accepted or has ended, before the call returns. */
  note(action: KeptAction): void;
  /** The process is told to end, and ends by no fault of the world: it counts for no try. */
  endsWell(): void;
  /** Settles when the last kept state is written. */
  written(): Promise<void>;
  /** The session is over: nothing is kept any more. */
  forget(): Promise<void>;
}

type Continued = Pick<Runtime, 'restore' | 'recall' | 'remembered'>;

/** After this many lines the file of the actions is written again, without those that the runtime has forgotten. */
const LINES_MAX = 1_024;
/** A process that has lived this long since it went on from a world was not broken by it. */
const LIVED_MS = 60_000;
/** A world is not used again after this many processes ended soon after they went on from it. */
const TRIES_MAX = 3;

/** @param file null: nothing is kept */
export function createWorldKeeper(file: WorldFile | null, nowMs: () => number, log: Log): WorldKeeper {
  const startedAtMs = nowMs();
  let tries = 0;
  let next: { kept: KeptRuntime | null } | null = null;
  let writing: Promise<void> | null = null;
  let isForgotten = false;
  let isFailing = false;
  let remembered: Runtime['remembered'] = () => [];
  let lines = 0;

  async function goOn(runtime: Continued, isFresh = false): Promise<void> {
    remembered = runtime.remembered;
    if (!file) return;
    if (isFresh) return file.actions.remove();
    try {
      recallActions(file, runtime);
      const found = await file.read();
      if (found === null) return;
      if ('aside' in found) {
        log({ level: 'warn', event: 'world_not_restored', why: 'unreadable', file: found.aside, message: ASIDE });
        return;
      }
      await take(runtime, found);
    } catch (thrown) {
      log({ level: 'warn', event: 'world_not_restored', why: 'not_read', file: file.path, ...errorFacts(thrown), message: ANEW });
    }
  }

  /** An action that had not ended is interrupted, and is written so: every later process reads the same. */
  function recallActions({ actions }: WorldFile, runtime: Continued): void {
    runtime.recall(actions.read(), nowMs());
    actions.replace(remembered());
  }

  async function take(runtime: Continued, { kept, savedAtMs, tries: before }: FiledWorld): Promise<void> {
    if (before >= TRIES_MAX) {
      log({ level: 'warn', event: 'world_not_restored', why: 'failed_again', message: FAILED_AGAIN });
      return;
    }
    tries = before + 1;
    // Written first, because the world may end this process.
    await file?.write({ savedAtMs, tries, kept });
    const restored = runtime.restore(kept, nowMs());
    if (restored.ok) {
      const { step, seed } = kept.world;
      log({ level: 'info', event: 'world_restored', step, seed, kept_ms_ago: Math.max(0, Math.round(nowMs() - savedAtMs)) });
    } else {
      tries = 0;
      log({ level: 'warn', event: 'world_not_restored', why: restored.reason, message: ANEW });
    }
  }

  async function write(): Promise<void> {
    while (next && file && !isForgotten) {
      const { kept } = next;
      next = null;
      try {
        if (kept === null) await file.removeWorld();
        else await file.write({ savedAtMs: nowMs(), tries: nowMs() - startedAtMs < LIVED_MS ? tries : 0, kept });
        isFailing = false;
      } catch (thrown) {
        noteFailure(file, thrown);
        // No process may go on from an old world as if it were a recent one.
        await file.removeWorld().catch(() => undefined);
      }
    }
    writing = null;
  }

  function noteFailure({ path }: WorldFile, thrown: unknown): void {
    if (!isFailing) log({ level: 'warn', event: 'world_not_kept', file: path, ...errorFacts(thrown), message: NOT_KEPT });
    isFailing = true;
  }

  function note(action: KeptAction): void {
    if (!file || isForgotten) return;
    try {
      lines += 1;
      if (lines <= LINES_MAX) file.actions.append(action);
      else {
        file.actions.replace(remembered());
        lines = 0;
      }
    } catch (thrown) {
      noteFailure(file, thrown);
      // The next line brings all of them.
      lines = LINES_MAX;
    }
  }

  const written = async (): Promise<void> => {
    await writing;
  };
  return {
    goOn,
    isKeeping: () => file !== null && !isForgotten,
    keep(kept) {
      next = { kept };
      writing ??= write();
    },
    note,
    endsWell() {
      tries = 0;
    },
    written,
    async forget() {
      isForgotten = true;
      await writing;
      await file?.remove().catch(() => undefined);
    },
  };
}

const ANEW = 'The robot begins anew.';
const ASIDE =
  'What was kept of the world is no world of this robot, or half of one. It is left aside, and the robot begins anew.';
const FAILED_AGAIN = 'The process has ended soon after it went on from this world, again and again. The robot begins anew.';
const NOT_KEPT = 'The world of the robot cannot be kept: after a restart it begins anew, and an action may run a second time.';
