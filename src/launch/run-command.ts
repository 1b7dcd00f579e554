import { closeSync, openSync } from 'node:fs';
import { thrownCode } from '../control-service/thrown.ts';
import { printError, watchOutput } from './output.ts';

/** A command has some 160 files open at once while it loads. */
const FILES_FOR_LOADING = 256;

/**
 * Runs a command by loading its module. That reads hundreds of files. If the system allows too few open files, Node itself would
 * print its own stack trace, or fail to find an existing package, before the command could print anything.
 */
export async function runCommand(load: () => Promise<unknown>): Promise<void> {
  // Traces show lines of the sources, even when the commands run compiled.
  process.setSourceMapsEnabled(true);
  watchOutput();
  try {
    openAtOnce(FILES_FOR_LOADING);
    await load();
  } catch (error) {
    const code = thrownCode(error);
    if (code !== 'EMFILE' && code !== 'ENFILE') throw error;
    printError(`Too many files are open (${code}). Raise the limit (ulimit -n 1024), then start again.`);
    process.exit(1);
  }
}

/** Throws the system's error if this many files cannot be open at once. */
function openAtOnce(count: number): void {
  const open: number[] = [];
  try {
    while (open.length < count) open.push(openSync(import.meta.filename, 'r'));
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}
