import { FairShelf } from '../common/fair-shelf.ts';
import { callerKey } from '../protocol/wire/caller.ts';
import { RESULT_KEPT_MS, RESULTS_KEPT_MAX, RESULTS_KEPT_MIN } from '../protocol/wire/limits.ts';
import type { BodyPart } from '../protocol/wire/skills.ts';
import type { ActiveAction } from '../protocol/wire/state.ts';
import type { ActiveEntry } from './action-entry.ts';
import type { AcceptedAction, ActionKind, KeptAction, StoredAction } from './action-record.ts';
import { canonicalJson } from './canonical-json.ts';
import { interruptedAction, isEnded } from './interrupted.ts';

/** The ledger of actions: those that run now, and those that ended and can still be read or repeated (promises P5, P6, P9). */
export interface Ledger {
  /** By action id, in the order in which they were accepted. */
  active: Map<string, ActiveEntry>;
  /** Ended actions that can be read or repeated by id, in the order in which they ended. Each caller has a share of the shelf. */
  ended: FairShelf<StoredAction>;
  /**
   * The last few pictures and streams of arm poses. Callers did not choose their ids, so they are never repeated, and they take
   * no space from actions that can be repeated.
   */
  unrepeatable: FairShelf<StoredAction>;
  /** The action of either kind that ended last. */
  last: StoredAction | null;
}

export const createLedger = (): Ledger => ({ active: new Map(), ...emptyShelves(), last: null });

const emptyShelves = (): Pick<Ledger, 'ended' | 'unrepeatable'> => ({
  ended: new FairShelf(RESULTS_KEPT_MAX),
  unrepeatable: new FairShelf(RESULTS_KEPT_MIN),
});

/**
 * Adds actions of an earlier runtime, in any order, except those that this ledger knows. One that had not ended is interrupted.
 * @param nowMs milliseconds since the epoch
 * @returns the actions that are new here, oldest first
 */
export function recall(ledger: Ledger, kept: readonly KeptAction[], nowMs: number): StoredAction[] {
  const recalled = kept
    .filter(({ actionId }) => !ledger.active.has(actionId) && !endedById(ledger, actionId))
    .map((action) => (isEnded(action) ? action : interruptedAction(action, nowMs)));
  if (recalled.length === 0) return [];
  const known = [...endedNewestFirst(ledger)].toReversed();
  Object.assign(ledger, emptyShelves());
  for (const action of [...known, ...recalled].sort(byEnd)) keep(ledger, action);
  return recalled.sort(byEnd);
}

const byEnd = (one: StoredAction, other: StoredAction): number =>
  one.result.meta.finished_at_ms - other.result.meta.finished_at_ms;

/** Returns the actions that the next runtime must know: ended actions, oldest first, then the running ones. */
export const remembered = (ledger: Ledger): KeptAction[] => [
  ...[...endedNewestFirst(ledger)].toReversed(),
  ...[...ledger.active.values()].map(acceptedOf),
];

/** Returns an active action as it was accepted. */
export const acceptedOf = ({ actionId, kind, name, input, caller, parametersKey, startedAtMs }: ActiveEntry): AcceptedAction => ({
  actionId,
  kind,
  name,
  input,
  caller,
  parametersKey,
  startedAtMs,
});

function keep(ledger: Ledger, action: StoredAction): void {
  const shelf = canBeRepeated(action) ? ledger.ended : ledger.unrepeatable;
  shelf.put(action.actionId, callerKey(action.caller), action);
  ledger.last = action;
}

/**
 * Returns whether an action can be repeated. A call of `set_upper_body` is a packet, which is remembered elsewhere; the action of
 * that name is its stream.
 */
const canBeRepeated = ({ kind, name }: StoredAction): boolean => kind === 'tool' && name !== 'set_upper_body';

/** Returns a key that is equal exactly when two calls ask for the same thing, whatever the order of their properties. */
export const parametersKey = (kind: ActionKind, name: string, input: unknown): string => canonicalJson([kind, name, input]);

/**
 * Moves an action from active to ended. Forgets actions that are both older than the promised time and beyond the promised
 * number.
 */
export function remember(ledger: Ledger, action: StoredAction, nowMs: number): void {
  const { active, ended } = ledger;
  active.delete(action.actionId);
  keep(ledger, action);
  for (let old = ended.oldest(); old && ended.size > RESULTS_KEPT_MIN; old = ended.oldest()) {
    if (nowMs - old.result.meta.finished_at_ms < RESULT_KEPT_MS) break;
    ended.dropOldest();
  }
}

export type Earlier =
  | { kind: 'none' }
  | { kind: 'active'; entry: ActiveEntry }
  | { kind: 'ended'; action: StoredAction }
  | { kind: 'different'; name: string };

/** Returns the earlier use of an action id, if any. */
export function earlier(ledger: Ledger, actionId: string, key: string): Earlier {
  const entry = ledger.active.get(actionId);
  if (entry) return entry.parametersKey === key ? { kind: 'active', entry } : { kind: 'different', name: entry.name };
  const action = endedById(ledger, actionId);
  if (!action) return { kind: 'none' };
  return action.parametersKey === key ? { kind: 'ended', action } : { kind: 'different', name: action.name };
}

/** Returns the result under this id, also that of a picture. */
export const endedById = ({ ended, unrepeatable }: Ledger, actionId: string): StoredAction | undefined =>
  ended.get(actionId) ?? unrepeatable.get(actionId);

/** Yields the ended actions, newest first, as far as the caller reads. */
export function* endedNewestFirst({ ended, unrepeatable }: Ledger): Generator<StoredAction, void, void> {
  const [named, others] = [ended.newestFirst(), unrepeatable.newestFirst()];
  let [one, other] = [named.next().value, others.next().value];
  while (one || other) {
    if (one && (!other || other.result.meta.finished_at_ms <= one.result.meta.finished_at_ms)) {
      yield one;
      one = named.next().value;
    } else if (other) {
      yield other;
      other = others.next().value;
    }
  }
}

const MOVING_PARTS: readonly BodyPart[] = ['base', 'arms', 'head'];

/** Returns which of the wanted parts a claim takes. The simulation as a whole and every part of the body exclude each other. */
export function overlap(claimed: readonly BodyPart[], wanted: readonly BodyPart[]): BodyPart[] {
  return wanted.filter((part) => {
    if (claimed.includes(part)) return true;
    if (part === 'simulation') return claimed.some((other) => MOVING_PARTS.includes(other));
    return claimed.includes('simulation') && MOVING_PARTS.includes(part);
  });
}

/** Returns the active actions that hold any of the wanted parts. */
export const holders = (ledger: Ledger, wanted: readonly BodyPart[]): ActiveEntry[] =>
  [...ledger.active.values()].filter((entry) => overlap(entry.claims, wanted).length > 0);

/**
 * Returns whether an action is a stop of all motion. Such an action is never ended early: a further stop waits for it (promise
 * P7).
 */
export const isStop = ({ kind, name }: Pick<ActiveEntry, 'kind' | 'name'>): boolean => kind === 'tool' && name === 'cancel';

const rank = (entry: ActiveEntry): number => {
  if (entry.claims.includes('base') || entry.claims.includes('arms')) return 0;
  if (entry.claims.includes('head')) return 1;
  return entry.kind === 'tool' ? 2 : 3;
};

/** Returns the action that "the active action" means: the one on the base or arms, otherwise the head's, otherwise any other. */
export function primary(ledger: Ledger): ActiveEntry | null {
  let best: ActiveEntry | null = null;
  for (const entry of ledger.active.values()) if (!best || rank(entry) < rank(best)) best = entry;
  return best;
}

/** Returns an active action as the wire shows it. */
export const activeView = (entry: ActiveEntry): ActiveAction => ({
  action_id: entry.actionId,
  kind: entry.kind,
  name: entry.name,
  started_at_ms: entry.startedAtMs,
  phase: entry.phase,
  ...(entry.progress ? { progress: entry.progress } : {}),
});
