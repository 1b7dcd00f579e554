import { RESULT_KEPT_MS, RESULTS_KEPT_MIN } from '../protocol/limits.ts';
import type { BodyPart } from '../protocol/skills.ts';
import type { ActiveAction } from '../protocol/state.ts';
import type { ActiveEntry } from './action-entry.ts';
import type { ActionKind, StoredAction } from './action-record.ts';
import { canonicalJson } from './canonical-json.ts';

/** The book of actions: what runs now, and what ended and can still be read or repeated (promises P5, P6, P9). */
export interface Ledger {
  /** By action id, in the order they were accepted. */
  active: Map<string, ActiveEntry>;
  /** By action id, oldest first. */
  ended: Map<string, StoredAction>;
}

export function createLedger(stored: readonly StoredAction[]): Ledger {
  const oldestFirst = [...stored].sort((a, b) => a.result.meta.finished_at_ms - b.result.meta.finished_at_ms);
  return { active: new Map(), ended: new Map(oldestFirst.map((action) => [action.actionId, action])) };
}

/** Equal exactly when two calls ask for the same thing, whatever the order of their properties. */
export const parametersKey = (kind: ActionKind, name: string, input: unknown): string => canonicalJson([kind, name, input]);

/** Moves an action from active to ended. Forgets what is both older than the promised time and beyond the promised number. */
export function remember(ledger: Ledger, action: StoredAction, nowMs: number): void {
  ledger.active.delete(action.actionId);
  ledger.ended.delete(action.actionId);
  ledger.ended.set(action.actionId, action);
  for (const [actionId, old] of ledger.ended) {
    if (ledger.ended.size <= RESULTS_KEPT_MIN || nowMs - old.result.meta.finished_at_ms < RESULT_KEPT_MS) break;
    ledger.ended.delete(actionId);
  }
}

export type Earlier =
  | { kind: 'none' }
  | { kind: 'active'; entry: ActiveEntry }
  | { kind: 'ended'; action: StoredAction }
  | { kind: 'different'; name: string };

/** What an action id was used for before, if for anything. */
export function earlier(ledger: Ledger, actionId: string, key: string): Earlier {
  const entry = ledger.active.get(actionId);
  if (entry) return entry.parametersKey === key ? { kind: 'active', entry } : { kind: 'different', name: entry.name };
  const action = ledger.ended.get(actionId);
  if (!action) return { kind: 'none' };
  return action.parametersKey === key ? { kind: 'ended', action } : { kind: 'different', name: action.name };
}

const MOVING_PARTS: readonly BodyPart[] = ['base', 'arms', 'head'];

/** Which of the wanted parts a claim takes: the simulation as a whole excludes every part of the body, and they it. */
export function overlap(claimed: readonly BodyPart[], wanted: readonly BodyPart[]): BodyPart[] {
  return wanted.filter((part) => {
    if (claimed.includes(part)) return true;
    if (part === 'simulation') return claimed.some((other) => MOVING_PARTS.includes(other));
    return claimed.includes('simulation') && MOVING_PARTS.includes(part);
  });
}

/** The active actions that hold any of the wanted parts. */
export const holders = (ledger: Ledger, wanted: readonly BodyPart[]): ActiveEntry[] =>
  [...ledger.active.values()].filter((entry) => overlap(entry.claims, wanted).length > 0);

const rank = (entry: ActiveEntry): number => {
  if (entry.claims.includes('base') || entry.claims.includes('arms')) return 0;
  if (entry.claims.includes('head')) return 1;
  return entry.kind === 'tool' ? 2 : 3;
};

/** The action that "the active action" means: the one on the base or arms, else the head's, else any other. */
export function primary(ledger: Ledger): ActiveEntry | null {
  let best: ActiveEntry | null = null;
  for (const entry of ledger.active.values()) if (!best || rank(entry) < rank(best)) best = entry;
  return best;
}

/** The last action that ended, if any is remembered. */
export function last(ledger: Ledger): StoredAction | null {
  let newest: StoredAction | null = null;
  for (const action of ledger.ended.values()) newest = action;
  return newest;
}

/** An active action as the wire shows it. */
export const activeView = (entry: ActiveEntry): ActiveAction => ({
  action_id: entry.actionId,
  kind: entry.kind,
  name: entry.name,
  started_at_ms: entry.startedAtMs,
  phase: entry.phase,
  ...(entry.progress ? { progress: entry.progress } : {}),
});
