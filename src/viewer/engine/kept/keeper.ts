import type { EmergencyStop } from '../../../runtime/emergency-state.ts';
import type { KeepOrder, NotGoneOn } from '../../../runtime/host/sim-messages.ts';
import { readKeptAction } from '../../../runtime/interrupted.ts';
import type { RunningThen } from '../../../runtime/kept-runtime.ts';
import type { KeptAction, KeptRuntime, Runtime, StoredAction } from '../../../runtime/runtime.ts';
import type { Batch, NoWorld, WorldRecord, WorldStore } from './world-store.ts';

/** An update from the keeper to the page. */
export type KeeperUpdate =
  /**
   * The world continues from the stored one. Carries how much of it is missing (null if only known to be at most a second), and
   * which actions were running.
   */
  | { kind: 'restored'; hash: string; missingMs: number | null; running: RunningThen[] }
  /** The world does not continue, although this tab was the robot before or a record exists. Carries the seed of that world. */
  | { kind: 'not-restored'; reason: NotGoneOn; seed: number | null }
  | { kind: 'keeping'; state: 'kept' | 'failing' | 'elsewhere' };

/** Facts that the keeper has found in addition to the world. */
export type KeeperFind =
  /** Earlier actions that the runtime remembers, oldest first. */
  | { kind: 'recalled'; actions: StoredAction[] }
  /** The emergency stop of the continued world is latched. */
  | { kind: 'emergency'; latched: EmergencyStop };

export interface KeeperDeps {
  store: WorldStore;
  /** The id of this keeper as the owner of its records. */
  owner: string;
  runtime: Pick<Runtime, 'restore' | 'recall' | 'remembered'>;
  /** Milliseconds since the epoch, from a clock that is never set: the time of the runtime and of the records. */
  nowMs(): number;
  report(update: KeeperUpdate | KeeperFind): void;
  after(ms: number): Promise<void>;
}

/** Stores the world of this runtime in the browser, and continues from a stored one. */
export interface Keeper {
  /** Follows an order of the page. Resolves when the world to continue with is in place. */
  follow(order: KeepOrder): Promise<void>;
  /** Returns whether there is a place to store the world in. */
  isKeeping(): boolean;
  /**
   * Stores the runtime's current state, or the fact that it is broken. Only the newest state is written, as soon as the previous
   * write is done.
   */
  keep(kept: KeptRuntime | null): void;
  /** Stores an action at once, so that it does not run twice (promise P5). */
  note(action: KeptAction): void;
}

/** A browser that does not answer within this time counts as one that stores nothing. */
const ANSWERS_WITHIN_MS = 5_000;
/** Delay before a browser that rejected a write is asked again. */
const RETRY_AFTER_MS = 5_000;
/** After this many stored actions, those that the runtime has forgotten are dropped. */
const FORGOTTEN_DROPPED_AFTER = 512;

/** The simulation outlives its page by a moment. A later record comes from another tab or another clock. */
const OUTLIVES_MS = 1_000;

function missingOf(savedAtMs: number, goneAtMs: number | null): number | null {
  if (goneAtMs === null || savedAtMs > goneAtMs + OUTLIVES_MS) return null;
  return Math.max(0, goneAtMs - savedAtMs);
}

export function createKeeper({ store, owner, runtime, nowMs, report, after }: KeeperDeps): Keeper {
  let place: string | null = null;
  /** Whether the browser has recorded this tab as the robot of the place. */
  let isClaimed = false;
  /** The record from which this world has continued, or could not continue. */
  let seen: string | null = null;
  let state: 'kept' | 'failing' | 'elsewhere' | null = null;
  let writing = false;
  let retryAtMs = 0;
  let next: { kept: KeptRuntime | null } | null = null;
  /** Actions that are not yet written. */
  let noted: KeptAction[] = [];
  /** Whether the next write replaces the stored actions with all actions of the runtime. */
  let isAll = false;
  let notedSinceAll = 0;

  function reportState(now: NonNullable<typeof state>): void {
    if (state === now) return;
    state = now;
    report({ kind: 'keeping', state: now });
  }

  const within = <T>(asked: Promise<T>): Promise<T> =>
    Promise.race([
      asked,
      after(ANSWERS_WITHIN_MS).then((): never => {
        throw new Error('The browser does not answer.');
      }),
    ]);

  async function follow(order: KeepOrder): Promise<void> {
    const left = place;
    place = null;
    isClaimed = false;
    if (left !== order.place) state = null;
    next = null;
    noted = [];
    for (const gone of order.forget) await within(store.remove(gone.place, gone.owner)).catch(() => undefined);
    if (left !== null && left !== order.place) await within(store.remove(left, owner)).catch(() => undefined);
    if (order.place === null) return;
    try {
      const before = order.isMine ? await claim(order.place) : await within(store.read(order.place));
      if (before?.owner !== owner) goOnFrom(before, order);
      if (!order.isMine) return;
      place = order.place;
      if (state !== 'failing') reportState('kept');
      void write();
    } catch {
      if (order.wasThere && seen === null) report({ kind: 'not-restored', reason: 'storage', seed: null });
      seen ??= 'nothing';
      // An unclaimed place may still be used if the browser accepts writes later.
      if (order.isMine) place = order.place;
      if (order.isMine) reportState('failing');
    }
  }

  /** Makes this tab the owner of a place, and reads the actions stored there. @returns the previous record */
  async function claim(at: string): Promise<WorldRecord | null> {
    const { before, actions } = await within(store.claim(at, owner, nowMs()));
    const kept = actions.flatMap((action) => readKeptAction(action) ?? []);
    const recalled = runtime.recall(kept, nowMs());
    if (recalled.length > 0) report({ kind: 'recalled', actions: recalled });
    isClaimed = true;
    isAll = true;
    return before;
  }

  function goOnFrom(before: WorldRecord | null, order: KeepOrder): void {
    const mark = before && `${before.owner} ${before.savedAtMs}`;
    const isChange = seen === null || (mark !== null && mark !== seen);
    seen = mark ?? 'nothing';
    if (!isChange) return;
    const restored = before?.kept && !order.isFresh ? tryRestore(before.kept) : null;
    if (before && restored?.ok) {
      const missingMs = missingOf(before.savedAtMs, order.goneAtMs);
      report({ kind: 'restored', hash: restored.hash, missingMs, running: before.kept?.running ?? [] });
      const latched = before.kept?.emergency?.latched;
      if (latched) report({ kind: 'emergency', latched });
      return;
    }
    const problem = restored && !restored.ok ? restored.reason : null;
    const reason = order.isFresh ? 'failed_again' : (problem ?? before?.why ?? 'nothing_kept');
    const isReported = order.wasThere || order.isFresh || (before !== null && reason !== 'nothing_kept');
    if (isReported) report({ kind: 'not-restored', reason, seed: before?.seed ?? null });
  }

  /** Tries to restore a stored runtime. The stored data may be anything. */
  function tryRestore(kept: KeptRuntime): ReturnType<Runtime['restore']> {
    try {
      return runtime.restore(kept, nowMs());
    } catch {
      return { ok: false, reason: 'damaged' };
    }
  }

  async function write(): Promise<void> {
    if (writing) return;
    writing = true;
    for (let batch = takeNext(); batch; batch = takeNext()) await writeOne(batch);
    writing = false;
  }

  function takeNext(): Batch | null {
    if (place === null || isWaiting() || (next === null && noted.length === 0 && !isAll)) return null;
    if (notedSinceAll > FORGOTTEN_DROPPED_AFTER) isAll = true;
    const world = next && recordOf(place, next.kept, next.kept === null ? 'broken' : null);
    const batch = { place, owner, world, actions: isAll ? runtime.remembered() : noted, isAll };
    notedSinceAll = isAll ? 0 : notedSinceAll + noted.length;
    next = null;
    noted = [];
    isAll = false;
    return batch;
  }

  /** Returns whether a browser that rejected a write is not yet due to be asked again. */
  const isWaiting = (): boolean => state === 'failing' && nowMs() < retryAtMs;

  let seed: number | null = null;
  function recordOf(at: string, kept: KeptRuntime | null, why: NoWorld | null): WorldRecord {
    seed = kept?.world.seed ?? seed;
    return { place: at, owner, savedAtMs: nowMs(), seed, kept, why };
  }

  async function writeOne(batch: Batch): Promise<void> {
    try {
      if (!isClaimed) {
        await claim(batch.place);
        isClaimed = place === batch.place;
      }
      const isMine = await within(store.put(batch));
      // The page may have given another order in the meantime.
      if (place !== batch.place) return;
      if (!isMine) place = null;
      reportState(isMine ? 'kept' : 'elsewhere');
    } catch {
      if (place === batch.place) reportState('failing');
      isAll = true;
      retryAtMs = nowMs() + RETRY_AFTER_MS;
      // An old world must not be continued as if it were one second old.
      const none: Batch = { ...batch, world: recordOf(batch.place, null, 'storage'), actions: [], isAll: false };
      await within(store.put(none)).catch(() => within(store.remove(batch.place, owner)).catch(() => undefined));
    }
  }

  return {
    follow,
    isKeeping: () => place !== null && !isWaiting(),
    keep(kept) {
      next = { kept };
      void write();
    },
    note(action) {
      if (place === null) return;
      if (isWaiting()) isAll = true;
      else noted.push(action);
      void write();
    },
  };
}
