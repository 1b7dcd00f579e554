import { closeSync, openSync } from 'node:fs';
import { thrownCode } from '../control-service/thrown.ts';
import { printError, watchOutput } from './output.ts';

/** A command has some 160 files open at once while it loads. */
const FILES_FOR_LOADING = 256;

/**
 * Runs a command by loading its module. Hundreds of files are read for it: where the system allows too few at once, Node itself
 * would report that in a trace of its own, or miss an existing package, before the command could print anything.
 */
export async function runCommand(load: () => Promise<unknown>): Promise<void> {
  // Traces name lines of the sources, also where the commands run compiled.
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

/** Throws the system's error when this many files are too many. */
function openAtOnce(count: number): void {
  const open: number[] = [];
  try {
    while (open.length < count) open.push(openSync(import.meta.filename, 'r'));
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}
