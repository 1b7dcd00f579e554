import { createHash } from 'node:crypto';

/** One thing that taking a lock does to the folder, or asks. Each happens whole or not at all. */
export type LockStep =
  /** Answers the text of a file, or null. */
  | { op: 'read'; path: string }
  /** Answers whether the process that wrote this text lives. Who was dead once stays dead. */
  | { op: 'is alive'; text: string }
  /** Makes a file with this text; answers false where there is one. */
  | { op: 'create'; path: string; text: string }
  | { op: 'replace'; path: string; text: string }
  | { op: 'remove'; path: string }
  /** Answers the paths of all successors' files, of this lock. */
  | { op: 'list' };

/** What taking came to: `by` is the text of the holder. */
export type LockOutcome = { kind: 'taken' } | { kind: 'held'; by: string };

/** The file of whoever follows the holder with this text. */
export const successorPath = (path: string, text: string): string =>
  `${path}.after-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;

/**
 * How a lock is taken, step by step. The file at `path` names a holder. The right to follow a dead holder is a file too, whose name is
 * made of that holder's text: it can be created once, so it goes to one process. That one may die as well and have a successor: the
 * lock belongs to the end of this line. Whoever has come to be its end writes its own name at `path` and tidies up.
 *
 * A slow process may create a file that was tidied away already. So nobody believes in a file that was just created, but walks the line
 * again from `path`: before a file of the line is tidied away, `path` names a later holder, from whom no way leads to that file.
 * @param me unlike the text of every other taking
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
      const isHeld = yield { op: 'is alive', text: holder };
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
    // The end of the line is dead, and nobody follows it yet.
    const end = line.at(-1) ?? path;
    if (mine !== null && mine !== end) yield { op: 'remove', path: mine };
    mine = null;
    const isNext = yield { op: 'create', path: end, text: me };
    if (isNext) mine = end;
  }
}

/** Removes the line that led to the holder, and what the dead left. While the holder lives no line leads on from it. */
function* tidyUp(line: readonly string[]): Generator<LockStep, void, unknown> {
  for (const path of line) yield { op: 'remove', path };
  const others = (yield { op: 'list' }) as string[];
  for (const path of others) {
    const text = (yield { op: 'read', path }) as string | null;
    const isLeft = text !== null && !(yield { op: 'is alive', text });
    if (isLeft) yield { op: 'remove', path };
  }
}
