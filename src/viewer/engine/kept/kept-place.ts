import type { KeepOrder, KeptRecord, NotGoneOn } from '../../../runtime/host/sim-messages.ts';
import type { RunningThen } from '../../../runtime/kept-runtime.ts';
import type { WorldMarkStore } from '../tab-storage.ts';
import type { ActionView, InterruptedAction, ViewerStore } from '../types.ts';
import type { KeeperUpdate } from './keeper.ts';

/**
 * If a simulation that continued a stored world fails again within this time, it starts from scratch. The stored world may be the
 * cause.
 */
const FAILS_AGAIN_MS = 60_000;

export interface KeptPlaceDeps {
  marks: WorldMarkStore;
  /** The default seed of a world. */
  seed: number;
  store: ViewerStore;
  nowMs(): number;
  newId(): string;
  /** Sends an order to the running simulation. */
  report(order: KeepOrder): void;
  /** Restarts the simulation with the current seed and order. */
  restart(): void;
}

/** The page's view of where this tab's world is stored: the place, the seed, and the notices about it. */
export interface KeptPlace {
  /** The seed of the next world. */
  seed(): number;
  /** Returns the order with which the next world starts, and the owner of its records. */
  begin(): { keep: KeepOrder; owner: string };
  /**
   * Notes that the tab returns to a place where another tab may be the robot. The world continues with the stored one if that was
   * this tab's.
   */
  comeBack(place: string): void;
  /**
   * Notes that the tab asks to be the robot of a place. The world continues with the stored one, and nothing is claimed. The
   * place contains the address of the media server that decides, so reading it reveals it to no other server.
   */
  look(place: string): void;
  /** Notes that the tab is the robot of a place: its media server has accepted it, or the robot is the tab's own. */
  enter(place: string): void;
  /** Notes that the tab changes to another place. The records of this one remain for a later return. */
  turnAway(): void;
  /** Notes that the session is over. Nothing of its world is kept. */
  leave(): void;
  /**
   * Notes that the simulation has failed and may be started again.
   * @returns whether the next world starts from scratch although this one continued a stored one; the cause of this failure need
   * not affect the next world
   */
  failed(): boolean;
  hear(update: KeeperUpdate): void;
  /** Notes that the page is unloaded. */
  goAway(): void;
  dispose(): void;
}

/** Returns whether an action's runtime ended while the action ran, since this page was opened. */
const isInterrupted = ({ finishedAtMs, result }: ActionView, sinceMs: number): boolean =>
  finishedAtMs !== null && finishedAtMs >= sinceMs && result?.error?.details.interrupted_by === 'reload';

export function createKeptPlace({ marks, seed: firstSeed, store, nowMs, newId, report, restart }: KeptPlaceDeps): KeptPlace {
  const before = marks.read();
  let place: string | null = null;
  let isMine = false;
  let seed = firstSeed;
  let failedAtMs: number | null = null;
  let isAnew = false;
  let isFresh = false;
  let hasFailed = false;
  /** The owner of the records of the running world. */
  let owner = '';
  let forget: KeptRecord[] = [];
  const openedAtMs = nowMs();
  /** Ids of interrupted actions that were already reported to a person. */
  const reported = new Set<string>();
  /** Updates held back until it is known that this tab is the robot. */
  let unsaid: KeeperUpdate[] = [];

  /**
   * The time of the last failure, including one before a reload: the stored world may break the next page as it broke this one.
   */
  const lastFailureMs = (): number | null => failedAtMs ?? (wasThere() ? (before?.failedAtMs ?? null) : null);
  const wasThere = (): boolean => before !== null && before.place === place;

  function order(): KeepOrder {
    const forgotten = forget;
    forget = [];
    return {
      place,
      isMine,
      isFresh,
      wasThere: wasThere() || hasFailed,
      goneAtMs: wasThere() && !hasFailed ? (before?.goneAtMs ?? null) : null,
      forget: forgotten,
    };
  }

  function hear(update: KeeperUpdate): void {
    if (!isMine && update.kind !== 'keeping') {
      unsaid.push(update);
      return;
    }
    if (update.kind === 'keeping') {
      if (update.state === 'kept') isFresh = false;
      store.setState({ keeping: update.state });
    } else if (update.kind === 'restored') {
      const interrupted = newlyInterrupted(update.running);
      store.setState({ wentOn: { atMs: nowMs(), kind: 'restored', missingMs: update.missingMs, interrupted } });
    } else if (update.seed !== null && update.seed !== seed) {
      seed = update.seed;
      restart();
    } else {
      reportRestart(update.reason);
    }
  }

  function reportRestart(reason: NotGoneOn): void {
    store.setState({ wentOn: { atMs: nowMs(), kind: 'begun-anew', reason, interrupted: newlyInterrupted([]) } });
  }

  /**
   * Returns the interrupted actions that are not yet reported. The tab's own list of actions is the reliable source. Without it,
   * for example after a takeover, the stored world's list is used.
   */
  function newlyInterrupted(running: readonly RunningThen[]): InterruptedAction[] {
    const { actions } = store.getState();
    const own = actions.filter((action) => isInterrupted(action, openedAtMs) && !reported.has(action.actionId)).toReversed();
    const known = new Set(actions.map(({ actionId }) => actionId));
    const all = own.length > 0 ? own : running.filter(({ actionId }) => !known.has(actionId) && !reported.has(actionId));
    for (const { actionId } of all) reported.add(actionId);
    return all;
  }

  function turnAway(): void {
    place = null;
    isMine = false;
    seed = firstSeed;
    unsaid = [];
    store.setState({ keeping: 'no', wentOn: null });
  }

  let isGone = false;
  function note(goneAtMs: number | null): void {
    isGone = goneAtMs !== null;
    if (place !== null && isMine) marks.write({ place, seed, goneAtMs, failedAtMs: lastFailureMs() });
  }

  const unsubscribe = store.subscribe(({ runtime }) => {
    const now = runtime?.robot.extra.sim.seed;
    // A page from the browser's back/forward cache is active again when it receives updates of its robot.
    if (now === undefined || !isMine || (now === seed && !isGone)) return;
    seed = now;
    note(null);
  });

  return {
    seed: () => seed,
    begin() {
      owner = newId();
      return { keep: order(), owner };
    },
    comeBack(next) {
      if (before?.place !== next) return;
      place = next;
      seed = before.seed;
    },
    look(next) {
      if (place === next) return;
      unsaid = [];
      place = next;
      isMine = false;
      report(order());
    },
    enter(next) {
      if (place !== next) unsaid = [];
      place = next;
      isMine = true;
      note(null);
      report(order());
      for (const update of unsaid.splice(0)) hear(update);
    },
    turnAway,
    leave() {
      if (place === null) return;
      const left = isMine ? [{ place, owner }] : [];
      if (isMine) marks.write(null);
      turnAway();
      report(order());
      // The simulation may end before it has forgotten the place; the next simulation then does so.
      forget = left;
    },
    failed() {
      if (!isMine) reportRestart('nothing_kept');
      const lastMs = lastFailureMs();
      isFresh = lastMs !== null && nowMs() - lastMs < FAILS_AGAIN_MS;
      failedAtMs = nowMs();
      hasFailed = true;
      note(null);
      const hadGoneOn = !isAnew;
      isAnew = isFresh;
      return isFresh && hadGoneOn;
    },
    hear,
    goAway: () => note(nowMs()),
    dispose: unsubscribe,
  };
}
