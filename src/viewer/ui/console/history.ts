import { isRecord } from '../../../common/schema-texts.ts';
import type { KeptItems } from '../../engine/browser-storage.ts';
import type { Run } from './run.ts';

const KEY = 'simplesim.console';
/** Replies of older calls are not kept; the calls themselves are small. */
const REPLIES_KEPT_CHARS = 200_000;

export const INTERRUPTED = 'The page was reloaded before the reply came. The list of actions shows its result.';

/** Returns the calls made here before a reload, newest first. Unreadable data count as none. */
export function loadHistory(items: KeptItems): Run[] {
  try {
    const stored: unknown = JSON.parse(items.get(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRun).map(afterReload) : [];
  } catch {
    return [];
  }
}

function isRun(value: unknown): value is Run {
  return (
    isRecord(value) &&
    typeof value.runId === 'string' &&
    typeof value.callableId === 'string' &&
    typeof value.startedAtMs === 'number' &&
    isRecord(value.options)
  );
}

function afterReload(run: Run): Run {
  const restored = { ...run, picture: null, problem: run.problem ?? null, finishedAtMs: run.finishedAtMs ?? null };
  return restored.finishedAtMs === null
    ? { ...restored, finishedAtMs: restored.startedAtMs, reply: null, problem: INTERRUPTED }
    : restored;
}

/**
 * Keeps the calls for a reload of this tab. If the storage is full or forbidden, nothing is kept and nothing else is affected.
 */
export function saveHistory(items: KeptItems, runs: readonly Run[]): void {
  let chars = 0;
  const kept = runs.map((run) => {
    chars += JSON.stringify(run.reply ?? null).length;
    return { ...run, picture: null, reply: chars > REPLIES_KEPT_CHARS ? null : run.reply };
  });
  items.set(KEY, JSON.stringify(kept));
}
