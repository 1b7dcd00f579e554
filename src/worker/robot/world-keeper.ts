import { errorFacts } from '../../common/error-facts.ts';
import type { KeptAction, KeptRuntime, Runtime } from '../../runtime/runtime.ts';
import type { Log } from '../log.ts';
import type { FiledWorld, WorldFile } from './world-file.ts';

/** Preserves the world of a robot across restarts of its process. */
export interface WorldKeeper {
  /**
   * Resumes the saved world and its actions, if any. Call it before the robot's first step. Never rejects.
   * @param isFresh the robot starts a new world, even if one was saved
   */
  goOn(runtime: Continued, isFresh?: boolean): Promise<void>;
  isKeeping(): boolean;
  /** Takes the runtime's current state, null if it is broken. The newest state is written after the previous write. */
  keep(kept: KeptRuntime | null): void;
  /** Saves an action that was accepted or has ended, before the call returns. */
  note(action: KeptAction): void;
  /** The process was asked to end, and ends without a fault of the world, so it does not count as a failed try. */
  endsWell(): void;
  /** Settles when the last state is written. */
  written(): Promise<void>;
  /** The session is over: nothing more is saved. */
  forget(): Promise<void>;
}

type Continued = Pick<Runtime, 'restore' | 'recall' | 'remembered'>;

/** After this many lines the file of the actions is rewritten, without those that the runtime has forgotten. */
const LINES_MAX = 1_024;
/** A process that has lived this long since it resumed a world was not broken by that world. */
const LIVED_MS = 60_000;
/** A world is not used again after this many processes ended soon after they resumed it. */
const TRIES_MAX = 3;

/** @param file null: nothing is saved */
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

  /** An unfinished action is interrupted, and is stored as such, so that every later process reads the same. */
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
    // Written first, because the world may crash this process.
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
        // No process may resume an old world as if it were a recent one.
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
      // The next line includes all of them.
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

const ANEW = 'The robot starts from scratch.';
const ASIDE =
  'The stored world is not a world of this robot, or is incomplete. It is left aside, and the robot starts from scratch.';
const FAILED_AGAIN = 'The process has repeatedly ended soon after it resumed from this world. The robot starts from scratch.';
const NOT_KEPT =
  'The world of the robot cannot be stored: after a restart it starts from scratch, and an action may run a second time.';
