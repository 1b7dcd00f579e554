import { clearLine, cursorTo } from 'node:readline';
import { shownText } from '../common/shown-text.ts';
import { fullDiskText, thrownCode, thrownText } from '../control-service/thrown.ts';
import { UsageError } from './read-options.ts';

/**
 * The only output of the commands to the terminal. Text of files, servers and other people may contain control sequences
 * (colours, movements of the cursor, reversed text), so they are all removed here. Text within a row or a sentence first passes
 * through `shownLine` or `shownId`, so that no line of a foreign text looks like one of the program's.
 */
export function print(text: string): void {
  clearInterim();
  printedAtMs = performance.now();
  console.log(shownText(text));
}

/** The same at the standard error output. */
export function printError(text: string): void {
  clearInterim();
  console.error(shownText(text));
}

/** Prints a line of progress. @param isInterim the next line replaces this one, so it may also be omitted */
export type OnProgress = (line: string, isInterim?: boolean) => void;

const INTERIM_LINES_EVERY_MS = 5_000;
let printedAtMs = 0;
let isInterimShown = false;

/**
 * Prints progress, indented. Interim lines replace each other on a terminal. Elsewhere an interim line is printed after 5 s
 * without any other line.
 */
export const printProgress: OnProgress = (line, isInterim = false) => {
  const text = `  ${line}`;
  if (isInterim && process.stdout.isTTY && process.env.TERM !== 'dumb') {
    clearInterim();
    // A line that wraps cannot be replaced. Some terminals do not report their width.
    process.stdout.write(shownText(text).slice(0, (process.stdout.columns || 80) - 1));
    isInterimShown = true;
  } else if (!isInterim || performance.now() - printedAtMs >= INTERIM_LINES_EVERY_MS) print(text);
};

function clearInterim(): void {
  if (!isInterimShown) return;
  isInterimShown = false;
  cursorTo(process.stdout, 0);
  clearLine(process.stdout, 0);
}

/** Prints why a command failed. Lines of a foreign text are indented. @param before the program's own text before it */
export function printTrouble(thrown: unknown, before = ''): void {
  const text = fullDiskText(thrown) ?? thrownText(thrown);
  printError(before + (thrown instanceof UsageError ? text : text.replaceAll(/\r?\n/g, '\n  ')));
}

/** Ends a command in order when the reader of its output has exited; null for a command that prints its answer and ends. */
let leave: (() => void) | null = null;
let isUnread = false;
let isLossReported = false;

/**
 * Handles a failing output: its reader may exit before the command (`| head -1`, or `| tee` at Ctrl-C), and a disk may be full.
 * Node's default would abort with a stack trace.
 */
export function watchOutput(): void {
  process.stdout.on('error', outputFailed);
  // There is no reader left.
  process.stderr.on('error', () => {});
}

/** Sets how a running command ends when the reader of its output exits. Lines that do not fit on a full disk are lost. */
export function whenUnread(leaveInOrder: () => void): void {
  leave = leaveInOrder;
  if (isUnread) leave();
}

function outputFailed(error: unknown): void {
  const code = thrownCode(error) ?? thrownText(error);
  if (leave === null) {
    isUnread = true;
    printError(`The output cannot be written (${code}). What the command did is done, but its answer is lost.`);
    process.exitCode = 1;
    return;
  }
  if (code === 'EPIPE') {
    if (isUnread) return;
    isUnread = true;
    printError('No program reads the output any more, so this ends. To keep it running, send the output to a file.');
    leave();
    return;
  }
  if (isLossReported) return;
  isLossReported = true;
  printError(`Lines of the output are lost (${code}). It continues without them.`);
}
