import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KeptAction } from '../../runtime/action-record.ts';
import { readKeptAction } from '../../runtime/interrupted.ts';

/**
 * The file of a robot's actions beside its world, one line of JSON for each change of an action. A line is written before the
 * caller is answered, so that a process that is killed leaves what the next one must not run twice (promise P5).
 */
export interface ActionFile {
  /** Returns the newest state of each action; lines that cannot be read are left out. */
  read(): KeptAction[];
  /** @throws when the disk refuses */
  append(action: KeptAction): void;
  /** Replaces the file: it is the new one or the one before. @throws when the disk refuses */
  replace(actions: readonly KeptAction[]): void;
  remove(): void;
}

export const ACTIONS_ENDING = '.actions';
/** Far more than all remembered actions with results of the usual size. */
const FILE_MAX_BYTES = 64_000_000;

/** @param half the name of what this writer has half written */
export function openActionFile(path: string, half: string): ActionFile {
  /** Begins with the end of a line, because a power cut may have left half of one. */
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
