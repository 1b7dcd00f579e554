import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KeptAction } from '../../runtime/action-record.ts';
import { readKeptAction } from '../../runtime/interrupted.ts';

/**
 * The file of a robot's actions next to its world, with one line of JSON for each change of an action. A line is written before
 * the caller is answered. So even a killed process leaves the actions that the next process must not run twice (promise P5).
 */
export interface ActionFile {
  /** Returns the newest state of each action; unreadable lines are skipped. */
  read(): KeptAction[];
  /** @throws if the disk rejects the write */
  append(action: KeptAction): void;
  /** Replaces the file atomically. @throws if the disk rejects the write */
  replace(actions: readonly KeptAction[]): void;
  remove(): void;
}

export const ACTIONS_ENDING = '.actions';
/** Much more than all remembered actions with results of the usual size. */
const FILE_MAX_BYTES = 64_000_000;

/** @param half the name of this writer's unfinished file */
export function openActionFile(path: string, half: string): ActionFile {
  /** Begins with a line break, because a power failure may have left an incomplete line. */
  const lineOf = (action: KeptAction): string => `\n${JSON.stringify(action)}`;

  return {
    read() {
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size === 0 || size > FILE_MAX_BYTES) return [];
      const actions = new Map<string, KeptAction>();
      for (const line of readFileSync(path, 'utf8').split('\n')) {
        const action = parse(line);
        if (action) actions.set(action.actionId, action);
      }
      return [...actions.values()];
    },
    append(action) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      appendFileSync(path, lineOf(action), { mode: 0o600 });
    },
    replace(actions) {
      if (actions.length === 0) {
        rmSync(path, { force: true });
        return;
      }
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(half, actions.map(lineOf).join(''), { mode: 0o600 });
      renameSync(half, path);
    },
    remove() {
      rmSync(path, { force: true });
      rmSync(half, { force: true });
    },
  };
}

function parse(line: string): KeptAction | null {
  try {
    return line === '' ? null : readKeptAction(JSON.parse(line));
  } catch {
    return null;
  }
}
