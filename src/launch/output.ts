import { thrownCode, thrownText } from '../control-service/thrown.ts';

/** Ends a command in order when nobody reads its output any more; null for a command that prints its answer and ends. */
let leave: (() => void) | null = null;
let isUnread = false;
let isLossTold = false;

/**
 * Handles an unreadable output: its reader may go away before the command (`| head -1`, or `| tee` at Ctrl-C), and a disk may be
 * full. Node itself would end in the middle with a trace.
 */
export function watchOutput(): void {
  process.stdout.on('error', outputFailed);
  // There is nobody left to be told.
  process.stderr.on('error', () => {});
}

/** Sets how a running command ends when nobody reads its output; lines that a full disk does not take are lost. */
export function whenUnread(leaveInOrder: () => void): void {
  leave = leaveInOrder;
  if (isUnread) leave();
}

function outputFailed(error: unknown): void {
  const code = thrownCode(error) ?? thrownText(error);
  if (leave === null) {
    isUnread = true;
    console.error(`The output cannot be written (${code}). What the command did is done, but its answer is lost.`);
    process.exitCode = 1;
    return;
  }
  if (code === 'EPIPE') {
    if (isUnread) return;
    isUnread = true;
    console.error('Nobody reads the output any more, so this ends. To keep it running, send the output to a file.');
    leave();
    return;
  }
  if (isLossTold) return;
  isLossTold = true;
  console.error(`Lines of the output are lost (${code}). It goes on without them.`);
}
