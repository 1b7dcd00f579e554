import { createHash } from 'node:crypto';

/** One step or query of taking a lock in the folder. Each happens completely or not at all. */
export type LockStep =
  /** Returns the text of a file, or null. */
  | { op: 'read'; path: string }
  /** Returns whether the process that wrote this text lives. A dead process stays dead. */
  | { op: 'is-alive'; text: string }
  /** Creates a file with this text; returns false if it exists. */
  | { op: 'create'; path: string; text: string }
  | { op: 'replace'; path: string; text: string }
  | { op: 'remove'; path: string }
  /** Returns the paths of all successors' files of this lock. */
  | { op: 'list' };

/** The result of taking a lock: `by` is the text of the holder. */
export type LockOutcome = { kind: 'taken' } | { kind: 'held'; by: string };

/** Returns the file of the successor of the holder with this text. */
const successorPath = (path: string, text: string): string =>
  `${path}.after-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;

/**
 * Takes a lock, step by step. The file at `path` names a holder. The right to follow a dead holder is also a file, whose name is
 * made from that holder's text. It can be created once, so one process gets it. That process may die as well and have a
 * successor: the lock belongs to the end of this chain. The process at the end of the chain writes its own name at `path` and
 * removes the files before it. A slow process may create a file that was already removed. So no process trusts a file that it
 * just created, but walks the chain again from `path`. Before a file of the chain is removed, `path` names a later holder, from
 * which the chain does not lead to that file.
 * @param me unlike the text of every other attempt
 */
export function* takingSteps(path: string, me: string): Generator<LockStep, LockOutcome, unknown> {
  let mine: string | null = null;
  for (;;) {
    const line: string[] = [];
    let holder = (yield { op: 'read', path }) as string | null;
    if (holder === null) {
      if (mine !== null) yield { op: 'remove', path: mine };
      mine = null;
      const isFirst = yield { op: 'create', path, text: me };
      if (!isFirst) continue;
      holder = me;
    }
    while (holder !== null && holder !== me) {
      const isHeld = yield { op: 'is-alive', text: holder };
      if (isHeld) {
        if (mine !== null) yield { op: 'remove', path: mine };
        return { kind: 'held', by: holder };
      }
      const next = successorPath(path, holder);
      line.push(next);
      holder = (yield { op: 'read', path: next }) as string | null;
    }
    if (holder === me) {
      if (line.length > 0) yield { op: 'replace', path, text: me };
      yield* tidyUp(line);
      return { kind: 'taken' };
    }
    // The end of the chain is dead, and has no successor yet.
    const end = line.at(-1) ?? path;
    if (mine !== null && mine !== end) yield { op: 'remove', path: mine };
    mine = null;
    const isNext = yield { op: 'create', path: end, text: me };
    if (isNext) mine = end;
  }
}

/** Removes the chain that led to the holder, and the files of dead processes. While the holder lives, the chain ends with it. */
function* tidyUp(line: readonly string[]): Generator<LockStep, void, unknown> {
  for (const path of line) yield { op: 'remove', path };
  const others = (yield { op: 'list' }) as string[];
  for (const path of others) {
    const text = (yield { op: 'read', path }) as string | null;
    const isLeft = text !== null && !(yield { op: 'is-alive', text });
    if (isLeft) yield { op: 'remove', path };
  }
}
